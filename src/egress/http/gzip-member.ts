import { inflateRawSync } from 'node:zlib';

const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const FIXED_HEADER_BYTES = 10;

/** Returns the offset of the deflate stream in a gzip member (RFC 1952 §2.3). */
function computeDataStart(coded: Buffer): number {
  const flags = coded[3] ?? 0;
  let at = FIXED_HEADER_BYTES;
  if ((flags & HAS_EXTRA) !== 0 && at + 2 <= coded.length) at += 2 + coded.readUInt16LE(at);
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & flag) !== 0) at = coded.indexOf(0, at) + 1;
  }
  return (flags & HAS_CHECKSUM) === 0 ? at : at + 2;
}

/**
 * Decodes the first member of a gzip stream, whatever follows it. Null if it is broken or larger than
 * `maxBytes`.
 */
export function decodeFirstGzipMember(coded: Buffer, maxBytes: number): Buffer | null {
  try {
    return inflateRawSync(coded.subarray(computeDataStart(coded)), { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}
