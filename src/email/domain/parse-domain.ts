import { setImmediate } from 'node:timers/promises';
import { toASCII, toUnicode } from 'tr46';

/** The reason why a text is not a mail domain (RFC 5321 §4.1.2 Domain, RFC 5890, UTS #46). */
export type DomainFault =
  | 'empty_domain'
  | 'domain_too_long'
  | 'label_too_long'
  | 'domain_dots'
  | 'domain_hyphens'
  | 'domain_characters'
  | 'domain_idna'
  | 'trailing_dot'
  | 'domain_without_dot'
  | 'numeric_top_level_domain';

interface DomainName {
  /** The A-label form in lower case. */
  ascii: string;
}

/**
 * Octets of a name as text: 255 on the wire less the root label and the first length octet (RFC 1035 §3.1).
 */
const MAX_NAME_OCTETS = 253;
const MAX_DOMAIN_OCTETS = 255;
const MAX_LABEL_OCTETS = 63;
const DOT = 0x2e;
const HYPHEN = 0x2d;

const A_LABEL = /^xn--/i;

/** 1: lower-case letter, 2: upper-case letter, 3: digit, 4: hyphen, 0: not allowed. */
const CLASS = new Uint8Array(128);
for (let unit = 0x61; unit <= 0x7a; unit++) CLASS[unit] = 1;
for (let unit = 0x41; unit <= 0x5a; unit++) CLASS[unit] = 2;
for (let unit = 0x30; unit <= 0x39; unit++) CLASS[unit] = 3;
CLASS[HYPHEN] = 4;

const UTS46 = {
  checkHyphens: false,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
} as const;

/**
 * Characters that UTS #46 drops silently (soft hyphen, zero-width space, variation selectors). They are
 * refused, because two addresses that look alike must not differ in bytes. The joiners U+200C and U+200D are
 * left to CONTEXTJ, because some scripts need them.
 */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u;

/**
 * Parses a mail domain: labels of letters, digits and hyphens, at most 63 octets each; at least two labels,
 * the last not all digits; other scripts by UTS #46 (non-transitional). Returns the name, or the fault.
 */
export function parseDomain(text: string): DomainName | DomainFault {
  if (text.length === 0) return 'empty_domain';
  if (text.length > MAX_DOMAIN_OCTETS) return 'domain_too_long';
  const fault = scanAscii(text);
  if (fault === 'ok') return { ascii: text };
  if (fault === 'upper') return { ascii: text.toLowerCase() };
  if (fault !== 'idna') return fault;
  if (Buffer.byteLength(text) > MAX_DOMAIN_OCTETS) return 'domain_too_long';
  if (INVISIBLE.test(text)) return 'domain_characters';
  const ascii = toASCII(text, UTS46);
  if (ascii === null) return 'domain_idna';
  if (hasMisplacedHyphen(ascii)) return 'domain_hyphens';
  const mapped = scanAscii(ascii, false);
  return mapped === 'ok' ? { ascii } : mapped === 'upper' || mapped === 'idna' ? 'domain_idna' : mapped;
}

/**
 * Checks the hyphens of U-labels (RFC 5891 §4.2.3.1). The check in tr46 would also refuse ASCII names such as
 * `r3---sn.example`.
 */
function hasMisplacedHyphen(ascii: string): boolean {
  return ascii
    .split('.')
    .some((label) => label.startsWith('xn--') && /^-|-$|^..--/su.test(toUnicode(label, UTS46).domain));
}

/**
 * Scans an ASCII name. `idna`: it has other characters or, if `checkLabels`, an A-label that must be checked.
 */
function scanAscii(text: string, checkLabels = true): 'ok' | 'upper' | 'idna' | DomainFault {
  let labelStart = 0;
  let dots = 0;
  let upper = false;
  let allDigits = true;
  for (let at = 0; at <= text.length; at++) {
    const unit = at === text.length ? DOT : text.charCodeAt(at);
    if (unit > 127) return 'idna';
    if (unit === DOT) {
      const fault = findLabelFault(text, labelStart, at);
      if (fault !== null) return fault;
      if (checkLabels && text[labelStart + 2] === '-' && A_LABEL.test(text.slice(labelStart, at)))
        return 'idna';
      if (at < text.length) {
        dots++;
        labelStart = at + 1;
        allDigits = true;
      }
      continue;
    }
    const kind = CLASS[unit];
    if (kind === 0) return 'domain_characters';
    if (kind === 2) upper = true;
    if (kind !== 3) allDigits = false;
  }
  if (text.length > MAX_NAME_OCTETS) return 'domain_too_long';
  if (dots === 0) return 'domain_without_dot';
  if (allDigits) return 'numeric_top_level_domain';
  return upper ? 'upper' : 'ok';
}

function findLabelFault(text: string, start: number, end: number): DomainFault | null {
  if (end === start) return end === text.length && start > 0 ? 'trailing_dot' : 'domain_dots';
  if (end - start > MAX_LABEL_OCTETS) return 'label_too_long';
  if (text.charCodeAt(start) === HYPHEN || text.charCodeAt(end - 1) === HYPHEN) return 'domain_hyphens';
  return null;
}

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
