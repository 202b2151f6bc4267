import { type DomainFault, parseDomain } from '../domain/parse-domain.ts';

/** The reason why a text is not a mailbox. */
export type AddressFault =
  | LocalPartFault
  | DomainFault
  | 'missing_at'
  | 'address_too_long'
  | 'malformed_address_literal';

/**
 * A mailbox by RFC 5321 §4.1.2 with RFC 6531: at a `domain` (A-labels in lower case), or at an address
 * `literal` (with its brackets).
 */
export type MailAddress = { localPart: string; quoted: boolean } & (
  | { domain: string; literal: null }
  | { domain: null; literal: string }
);

/** Octets of a path without its angle brackets (RFC 5321 §4.5.3.1.3, erratum 1690). */
const MAX_ADDRESS_OCTETS = 254;

/**
 * Parses one address without outer white space: RFC 5321 Mailbox, RFC 6531 UTF-8 local parts, UTS #46
 * domains. Refuses comments, folding white space, obsolete forms and dotless domains. Of a text over 254
 * characters only the lengths are checked. Returns the address, or the fault.
 */
export function parseAddress(text: string): MailAddress | AddressFault {
  if (text.length > MAX_ADDRESS_OCTETS) return findLengthFault(text);
  const at = text.lastIndexOf('@');
  if (at === -1) return 'missing_at';
  const localText = text.slice(0, at);
  const local = parseLocalPart(localText);
  if (typeof local === 'string') return local;
  const domainText = text.slice(at + 1);
  if (domainText.startsWith('[')) {
    if (!isAddressLiteral(domainText)) return 'malformed_address_literal';
    return { localPart: localText, quoted: local.quoted, domain: null, literal: domainText };
  }
  const domain = parseDomain(domainText);
  if (typeof domain === 'string') return domain;
  if (!local.ascii || domain.ascii !== domainText) {
    const localOctets = Buffer.byteLength(localText) + 1;
    // The domain is sent as typed or as A-labels, so both forms must fit.
    if (localOctets + Math.max(domain.ascii.length, Buffer.byteLength(domainText)) > MAX_ADDRESS_OCTETS) {
      return 'address_too_long';
    }
  }
  return { localPart: localText, quoted: local.quoted, domain: domain.ascii, literal: null };
}

/** Returns which part is too long, in linear time. */
function findLengthFault(text: string): AddressFault {
  const at = text.lastIndexOf('@');
  if (at === -1) return 'missing_at';
  if (at > 64) return 'local_part_too_long';
  return text.length - at - 1 > 253 ? 'domain_too_long' : 'address_too_long';
}

/** The reason why a text is not a local part (RFC 5321 §4.1.2, RFC 6531 §3.3). */
type LocalPartFault =
  | 'empty_local_part'
  | 'local_part_too_long'
  | 'local_part_dots'
  | 'local_part_characters'
  | 'local_part_quotes';

interface LocalPart {
  /** True for a Quoted-string, false for a Dot-string. */
  quoted: boolean;
  /** False if the address needs SMTPUTF8. */
  ascii: boolean;
}

const MAX_LOCAL_OCTETS = 64;
const DOT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** RFC 5322 atext: the characters that need no quoting. */
const ATEXT = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~") {
  ATEXT[char.charCodeAt(0)] = 1;
}

/**
 * Controls, format characters, lone surrogates, private use, unassigned, separators, and letters without a
 * glyph. ASCII spaces and controls are not among them: the scans below decide about these, because a
 * Quoted-string may contain spaces.
 */
const UNSAFE = /[[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]--\p{ASCII}]/v;
/** A combining mark with nothing to combine with, at the start of an atom or after a space. */
const LEADING_MARK = /(?:^"?|[. ])\p{M}/u;

/**
 * Parses a local part by RFC 5321 §4.1.2 with RFC 6531 UTF-8: Dot-string or Quoted-string, at most 64 octets.
 * Returns the local part, or the fault.
 */
export function parseLocalPart(text: string): LocalPart | LocalPartFault {
  if (text.length === 0) return 'empty_local_part';
  // A UTF-16 code unit is at least one octet of UTF-8, so this bounds the scans below.
  if (text.length > MAX_LOCAL_OCTETS) return 'local_part_too_long';
  const quoted = text.charCodeAt(0) === QUOTE;
  const ascii = quoted ? scanQuotedString(text) : scanDotString(text);
  if (typeof ascii === 'string') return ascii;
  if (!ascii) {
    if (Buffer.byteLength(text) > MAX_LOCAL_OCTETS) return 'local_part_too_long';
    if (UNSAFE.test(text) || LEADING_MARK.test(text) || text.normalize('NFC') !== text) {
      return 'local_part_characters';
    }
  }
  return { quoted, ascii };
}

/** Returns whether the text is ASCII, or the fault. */
function scanDotString(text: string): boolean | LocalPartFault {
  let ascii = true;
  let afterDot = true;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === DOT) {
      if (afterDot) return 'local_part_dots';
      afterDot = true;
      continue;
    }
    afterDot = false;
    if (unit > 127) ascii = false;
    else if (ATEXT[unit] === 0) return 'local_part_characters';
  }
  return afterDot ? 'local_part_dots' : ascii;
}

/**
 * Returns whether the text is ASCII, or the fault. Refuses an empty pair of quotes, and quoted pairs of other
 * than printable ASCII (RFC 5321 quoted-pairSMTP).
 */
function scanQuotedString(text: string): boolean | LocalPartFault {
  const last = text.length - 1;
  if (last < 1 || text.charCodeAt(last) !== QUOTE) return 'local_part_quotes';
  if (last === 1) return 'empty_local_part';
  let ascii = true;
  for (let at = 1; at < last; at++) {
    let unit = text.charCodeAt(at);
    if (unit === QUOTE) return 'local_part_quotes';
    if (unit === BACKSLASH) {
      if (++at === last) return 'local_part_quotes';
      unit = text.charCodeAt(at);
      if (unit > 126) return 'local_part_characters';
    }
    if (unit < 32 || unit === 127) return 'local_part_characters';
    if (unit > 127) ascii = false;
  }
  return ascii;
}

const SNUM = /^(?:[0-9]{1,2}|1[0-9]{2}|2[0-4][0-9]|25[0-5]|0[0-9]{2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
/** Longer than any literal: `[IPv6:`, eight groups of four digits and a dotted quad. */
const MAX_LITERAL_LENGTH = 64;

/** True for `[192.0.2.1]` and `[IPv6:2001:db8::1]` (RFC 5321 §4.1.3). No other tag is registered. */
function isAddressLiteral(text: string): boolean {
  if (text.length > MAX_LITERAL_LENGTH || !text.startsWith('[') || !text.endsWith(']')) return false;
  const inner = text.slice(1, -1);
  return isDottedQuad(inner) || (inner.slice(0, 5).toLowerCase() === 'ipv6:' && isIpv6(inner.slice(5)));
}

function isDottedQuad(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => SNUM.test(part));
}

/** Checks RFC 5321's grammar. Unlike in RFC 4291, `::` replaces at least two groups of zeros. */
function isIpv6(text: string): boolean {
  const last = text.slice(text.lastIndexOf(':') + 1);
  if (last.includes('.') && !isDottedQuad(last)) return false;
  // A dotted quad stands for two groups.
  const groups = last.includes('.') ? `${text.slice(0, -last.length)}0:0` : text;
  const [before = '', after, ...more] = groups.split('::');
  if (after === undefined) return countGroups(before) === 8;
  const counts = [countGroups(before), countGroups(after)] as const;
  return more.length === 0 && Math.min(...counts) >= 0 && counts[0] + counts[1] <= 6;
}

/** Counts the groups of hexadecimal digits; -1 if one is malformed. */
function countGroups(text: string): number {
  if (text === '') return 0;
  const groups = text.split(':');
  return groups.every((group) => GROUP.test(group)) ? groups.length : -1;
}

/** Removes outer white space (Unicode White_Space, byte order mark, zero-width space) in linear time. */
export function trimAddress(text: string): string {
  const trimmed = text.trim();
  let start = 0;
  let end = trimmed.length;
  while (start < end && isBlank(trimmed.charCodeAt(start))) start++;
  while (end > start && isBlank(trimmed.charCodeAt(end - 1))) end--;
  return end - start === trimmed.length ? trimmed : trimmed.slice(start, end);
}

/** True for what `String.trim` removes, and for U+200B (zero-width space) and U+0085 (next line). */
function isBlank(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x2000) return unit === 0x85 || unit === 0xa0 || unit === 0x1680;
  if (unit <= 0x200b || unit === 0x3000 || unit === 0xfeff) return true;
  return unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f;
}
