/** Yields the bytes of the strings in the operands of a text-showing operator (ISO 32000-1 §7.3.4). */
export function* parseShownStrings(operands: Uint8Array): Generator<number[], void, undefined> {
  for (let at = 0; at < operands.length; at += 1) {
    const byte = operands[at];
    if (byte !== 0x3c && byte !== 0x28) continue;
    const string = byte === 0x3c ? parseHexadecimal(operands, at + 1) : parseLiteral(operands, at + 1);
    yield string.bytes;
    at = string.end;
  }
}

interface ShownString {
  bytes: number[];
  /** The offset of the delimiter at its end. */
  end: number;
}

function parseHexadecimal(operands: Uint8Array, from: number): ShownString {
  let end = operands.indexOf(0x3e, from);
  if (end < 0) end = operands.length;
  const digits = Buffer.from(operands.subarray(from, end)).toString('latin1').replace(/\s/g, '');
  return { bytes: [...Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')], end };
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

function parseLiteral(operands: Uint8Array, from: number): ShownString {
  const bytes: number[] = [];
  let depth = 1;
  let at = from;
  for (; at < operands.length; at += 1) {
    const byte = operands[at] ?? 0;
    if (byte === 0x5c) at = parseEscape(operands, at + 1, bytes);
    else {
      if (byte === 0x28) depth += 1;
      if (byte === 0x29 && --depth === 0) break;
      bytes.push(byte);
    }
  }
  return { bytes, end: at };
}

/** Parses what follows a backslash, appends its byte and returns the offset of its last character. */
function parseEscape(operands: Uint8Array, from: number, bytes: number[]): number {
  let at = from;
  let value = 0;
  const isOctal = (): boolean => (operands[at] ?? 0) >= 0x30 && (operands[at] ?? 0) <= 0x37;
  for (; at < from + 3 && isOctal(); at += 1) value = value * 8 + (operands[at] ?? 0) - 0x30;
  if (at > from) {
    bytes.push(value & 0xff);
    return at - 1;
  }
  const byte = operands[from] ?? 0;
  // An escaped line break is no part of the string.
  if (byte !== 0x0a && byte !== 0x0d) bytes.push(ESCAPES[String.fromCharCode(byte)] ?? byte);
  return byte === 0x0d && operands[from + 1] === 0x0a ? from + 1 : from;
}
