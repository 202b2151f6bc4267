/** A part of a content stream. Skia shows each character by itself: a copy of each part would cost more. */
export interface ContentSlice {
  bytes: Uint8Array;
  from: number;
  to: number;
}

/** The codes that are shown in a font: 1 for each code. */
export interface ShownCodes {
  bytesPerCode: 1 | 2;
  codes: Uint8Array;
}

/** Sets the codes of the strings in the operands of a text-showing operator (ISO 32000-1 §7.3.4). */
export function setShownCodes({ bytes, from, to }: ContentSlice, shown: ShownCodes): void {
  for (let at = from; at < to; at += 1) {
    if (bytes[at] === 0x3c) at = setHexadecimal({ bytes, from: at + 1, to }, shown);
    else if (bytes[at] === 0x28) at = setLiteral({ bytes, from: at + 1, to }, shown);
  }
}

/** Sets the codes of a string and returns the offset of its end. */
function setHexadecimal({ bytes, from, to }: ContentSlice, { bytesPerCode, codes }: ShownCodes): number {
  const digitsPerCode = 2 * bytesPerCode;
  let digits = 0;
  let code = 0;
  let at = from;
  for (; at < to && bytes[at] !== 0x3e; at += 1) {
    const value = toDigit(bytes[at] ?? 0);
    if (value < 0) continue;
    code = code * 16 + value;
    digits += 1;
    if (digits < digitsPerCode) continue;
    codes[code] = 1;
    digits = 0;
    code = 0;
  }
  // Missing digits are 0.
  if (digits > 0) codes[code * 16 ** (digitsPerCode - digits)] = 1;
  return at;
}

/** Returns the value of a hexadecimal digit; -1 for another byte. */
function toDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

function setLiteral({ bytes, from, to }: ContentSlice, { bytesPerCode, codes }: ShownCodes): number {
  const string: number[] = [];
  let depth = 1;
  let at = from;
  for (; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x5c) at = parseEscape(bytes, at + 1, string);
    else {
      if (byte === 0x28) depth += 1;
      if (byte === 0x29 && --depth === 0) break;
      string.push(byte);
    }
  }
  for (let index = 0; index < string.length; index += bytesPerCode) {
    const first = string[index] ?? 0;
    codes[bytesPerCode === 1 ? first : first * 256 + (string[index + 1] ?? 0)] = 1;
  }
  return at;
}

/** Parses what follows a backslash, appends its byte and returns the offset of its last character. */
function parseEscape(bytes: Uint8Array, from: number, string: number[]): number {
  let at = from;
  let value = 0;
  const isOctal = (): boolean => (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x37;
  for (; at < from + 3 && isOctal(); at += 1) value = value * 8 + (bytes[at] ?? 0) - 0x30;
  if (at > from) {
    string.push(value & 0xff);
    return at - 1;
  }
  const byte = bytes[from] ?? 0;
  // An escaped line break is no part of the string.
  if (byte !== 0x0a && byte !== 0x0d) string.push(ESCAPES[String.fromCharCode(byte)] ?? byte);
  return byte === 0x0d && bytes[from + 1] === 0x0a ? from + 1 : from;
}
