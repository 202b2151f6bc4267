/** The reason why a text is not a local part (RFC 5321 §4.1.2, RFC 6531 §3.3). */
export type LocalPartFault =
  | 'empty_local_part'
  | 'local_part_too_long'
  | 'local_part_dots'
  | 'local_part_characters'
  | 'local_part_quotes';

export interface LocalPart {
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
 * glyph. Not those of ASCII: the scans below decide about them, because a Quoted-string may contain spaces.
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
