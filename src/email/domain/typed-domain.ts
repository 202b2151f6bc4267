import { setImmediate } from 'node:timers/promises';

/** A domain has at most 255 octets. Up to this length a text is converted to lower case in every script. */
const MAX_UNICODE_LENGTH = 1024;
/** Characters that are converted in one turn of the event loop. */
const SLICE_LENGTH = 64 * 1024;

/**
 * Returns what follows the last `@` of a text, as typed but in lower case; empty without an `@`. Of a text
 * far too long for a domain, only ASCII letters are converted: DNS ignores case only there (RFC 4343), and
 * some letters (`İ`, `Σ`) cost 20 ns each.
 */
export function getTypedDomain(email: string): string {
  const at = email.lastIndexOf('@');
  if (at === -1) return '';
  const domain = email.slice(at + 1);
  return domain.length <= MAX_UNICODE_LENGTH ? domain.toLowerCase() : lowerAscii(domain);
}

/** True if a text is too long to be converted in one turn of the event loop. */
export function isLongText(email: string): boolean {
  return email.length > SLICE_LENGTH;
}

/** Returns the same as `getTypedDomain`, for a text of megabytes: yields to the event loop between slices. */
export async function getTypedDomainInSlices(email: string): Promise<string> {
  const at = email.lastIndexOf('@');
  if (email.length - at <= MAX_UNICODE_LENGTH || at === -1) return getTypedDomain(email);
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
