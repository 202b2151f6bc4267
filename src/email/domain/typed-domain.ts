import { setImmediate } from 'node:timers/promises';

/** No domain has more than 255 octets. Up to this length a text is lower-cased as people read it, in any script. */
const MAX_READABLE = 1024;
/** Characters that are lower-cased in one turn of the event loop. */
const SLICE_LENGTH = 64 * 1024;

/**
 * What follows the last `@` of a text, in lower case and otherwise as it was typed; empty where there is none.
 * Of a text far too long for a domain only the ASCII letters are lower-cased: DNS knows no other case (RFC 4343),
 * and some letters (`İ`, `Σ`) cost 20 ns each.
 */
export function readDomainAsGiven(email: string): string {
  const at = email.lastIndexOf('@');
  if (at === -1) return '';
  const domain = email.slice(at + 1);
  return domain.length <= MAX_READABLE ? domain.toLowerCase() : lowerAscii(domain);
}

/** Whether a text takes more than one turn of the event loop to lower. */
export function isLongText(email: string): boolean {
  return email.length > SLICE_LENGTH;
}

/** The same for a text of megabytes: requests are answered between its slices. */
export async function readDomainInSlices(email: string): Promise<string> {
  const at = email.lastIndexOf('@');
  if (email.length - at <= MAX_READABLE || at === -1) return readDomainAsGiven(email);
  let domain = '';
  for (let start = at + 1; start < email.length; start += SLICE_LENGTH) {
    domain += lowerAscii(email.slice(start, start + SLICE_LENGTH));
    await setImmediate();
  }
  return domain;
}

function lowerAscii(text: string): string {
  const octets = Buffer.from(text, 'utf16le');
  for (let at = 0; at < octets.length; at += 2) {
    const octet = octets[at] as number;
    if (octet >= 0x41 && octet <= 0x5a && octets[at + 1] === 0) octets[at] = octet | 0x20;
  }
  return octets.toString('utf16le');
}
