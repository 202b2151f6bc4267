/** Reads the duration of Matroska and WebM (RFC 9559, RFC 8794). */

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const MAX_ELEMENTS = 1_000;

interface Element {
  id: number;
  start: number;
  end: number;
}

/** Returns the duration in seconds, or null if it is not in `bytes`, as in live recordings. */
export function findMatroskaDuration(bytes: Buffer): number | null {
  const segment = findElement(bytes, 0, bytes.length, SEGMENT);
  const info = segment === null ? null : findElement(bytes, segment.start, segment.end, INFO);
  if (info === null) return null;
  const duration = findElement(bytes, info.start, info.end, DURATION);
  const scale = findElement(bytes, info.start, info.end, TIMESTAMP_SCALE);
  // Nanoseconds per unit.
  const nanoseconds = scale === null ? 1_000_000 : readUnsigned(bytes, scale);
  if (duration === null) return null;
  const length = duration.end - duration.start;
  const units =
    length === 8 ? bytes.readDoubleBE(duration.start) : length === 4 ? bytes.readFloatBE(duration.start) : 0;
  return (units * nanoseconds) / 1e9;
}

function findElement(bytes: Buffer, from: number, end: number, id: number): Element | null {
  let at = from;
  for (let count = 0; count < MAX_ELEMENTS && at < end; count++) {
    const idLength = Math.clz32(bytes[at]!) - 23;
    const sizeAt = at + idLength;
    const sizeLength = sizeAt < end ? Math.clz32(bytes[sizeAt]!) - 23 : 9;
    if (idLength > 4 || sizeLength > 8 || sizeAt + sizeLength > end) return null;
    const start = sizeAt + sizeLength;
    const marker = 2 ** (7 * sizeLength);
    const first = bytes[sizeAt]! & (0xff >> sizeLength);
    const rest = readBig(bytes, sizeAt + 1, sizeLength - 1);
    const raw = first * 2 ** (8 * (sizeLength - 1)) + rest;
    // A size of all ones is unknown: the element lasts to the end of its parent.
    const size = raw >= marker - 1 ? end - start : raw;
    const elementEnd = Math.min(start + size, end);
    if (bytes.readUIntBE(at, idLength) === id) return { id, start, end: elementEnd };
    at = start + size;
  }
  return null;
}

/** Reads up to 8 bytes, as exactly as a number can hold them. */
function readBig(bytes: Buffer, at: number, length: number): number {
  let value = 0;
  for (let n = 0; n < length; n++) value = value * 256 + bytes[at + n]!;
  return value;
}

function readUnsigned(bytes: Buffer, { start, end }: Element): number {
  return end - start > 8 ? 0 : readBig(bytes, start, end - start);
}
