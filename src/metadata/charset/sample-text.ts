/** Collects the text of a page for a guess of its encoding: statistics of letters fail on markup. */

/** Bytes of ASCII text that are kept around others. */
const CONTEXT = 24;
/** Only so many bytes of a page are searched for text. */
const MAX_SEARCHED_BYTES = 262_144;

/**
 * Returns the bytes above ASCII with the text around each, up to `length` bytes. Text ends at a delimiter of
 * markup, none of which is the second byte of a character in any encoding.
 */
export function sampleText(bytes: Buffer, length: number): Buffer {
  const sample = Buffer.alloc(length);
  const end = Math.min(bytes.length, MAX_SEARCHED_BYTES);
  let size = 0;
  // The bytes from here on are text that was not copied yet.
  let from = 0;
  let left = 0;
  for (let at = 0; at < end && size < length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80) {
      if (left === 0) {
        from = Math.max(from, at - CONTEXT);
        if (size > 0) sample[size++] = 0x20;
      }
      size += bytes.copy(sample, size, from, at + 1);
      from = at + 1;
      left = CONTEXT;
    } else if (isDelimiter(byte)) {
      if (left > 0) size += bytes.copy(sample, size, from, at);
      from = at + 1;
      left = 0;
    } else if (left > 0 && --left === 0) {
      size += bytes.copy(sample, size, from, at + 1);
      from = at + 1;
    }
  }
  return sample.subarray(0, size);
}

/** Returns whether a byte is a control, `"`, `<`, `=` or `>`. */
function isDelimiter(byte: number): boolean {
  return byte < 0x20 || byte === 0x22 || (byte >= 0x3c && byte <= 0x3e);
}
