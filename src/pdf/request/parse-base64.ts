/** Base64 of RFC 4648 §4: padded, without white space, and with zeros in the spare bits of its end. */

const WRONG_DIGIT = /[^A-Za-z0-9+/]/;
/** The last digit of a text whose padding is as long as the index. */
const LAST_DIGITS = [/./, /[AEIMQUYcgkosw048]/, /[AQgw]/] as const;

/** Returns the bytes that a text of base64 has; for other texts, at least as many. */
export function countBase64Bytes(text: string): number {
  return Math.max(0, Math.ceil(text.length / 4) * 3 - countPadding(text));
}

/** Decodes base64 into memory of its own, which can be transferred. Returns null if a character is wrong. */
export function parseBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const padding = countPadding(text);
  const digits = text.slice(0, text.length - padding);
  // One search: a pattern that repeats would need a stack as long as the text.
  if (text.length % 4 !== 0 || WRONG_DIGIT.test(digits)) return null;
  if (padding > 0 && !LAST_DIGITS[padding].test(digits.slice(-1))) return null;
  const bytes = new Uint8Array(countBase64Bytes(text));
  Buffer.from(bytes.buffer).write(text, 'base64');
  return bytes;
}

function countPadding(text: string): 0 | 1 | 2 {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}
