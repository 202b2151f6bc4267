/** Searches for bytes, and classes of bytes, that the parts of the scanner share. */

/** Returns the index of the next `byte` in [from, end), or `end`. */
export function skipTo(byte: number, bytes: Uint8Array, from: number, end: number): number {
  // Most runs are short: a call into native code would cost more than it saves.
  const near = Math.min(from + 32, end);
  for (let at = from; at < near; at++) if (bytes[at] === byte) return at;
  if (near === end) return end;
  const found = bytes.indexOf(byte, near);
  return found < 0 || found > end ? end : found;
}

/** Returns whether `byte` is an ASCII letter. */
export function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Returns whether `byte` is ASCII white space of HTML: tab, LF, FF, CR or space. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte <= 0x0d && byte >= 0x09 && byte !== 0x0b);
}

/** Returns whether `byte` ends a tag's name: white space, `/` or `>`. */
export function isNameEnd(byte: number): boolean {
  return byte === 0x3e || byte === 0x2f || isSpace(byte);
}
