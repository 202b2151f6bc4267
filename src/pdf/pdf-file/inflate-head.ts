/** The order of the code lengths of the code lengths (RFC 1951 §3.2.7). */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MAX_CODE_BITS = 15;
const END_OF_BLOCK = 256;
/** The header of a zlib stream without a dictionary (RFC 1950 §2.2). */
const ZLIB_HEADER_BYTES = 2;

/**
 * A Huffman code (RFC 1951 §3.2.2): the number of codes of each length, and the symbols in the order of their
 * codes.
 */
interface HuffmanCode {
  counts: Uint16Array;
  symbols: Uint16Array;
}

/**
 * Decodes the beginning of a zlib stream (RFC 1950, RFC 1951): at most `maxBytes`, fewer if the stream ends,
 * is cut off or is malformed. Not by node:zlib: for the memory of its decoders, one per document, V8 collects
 * garbage again and again.
 */
export function inflateHead(source: Uint8Array, maxBytes: number): Buffer {
  const bits = new BitReader(source.subarray(ZLIB_HEADER_BYTES));
  const output = Buffer.allocUnsafe(maxBytes);
  let length = 0;
  let isLast = false;
  while (!isLast && length < maxBytes && !bits.isExhausted) {
    isLast = bits.read(1) === 1;
    const type = bits.read(2);
    if (type === 0) length = copyStored(bits, output, length);
    else if (type === 3) break;
    else length = decodeBlock(bits, type === 1 ? FIXED : readCodes(bits), { output, length });
  }
  return output.subarray(0, length);
}

/** Reads the bits of a stream, the lowest of each byte first; zeros after its end. */
class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** True if more was read than there is. */
  get isExhausted(): boolean {
    return this.#at > this.#bytes.length * 8;
  }

  read(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, this.#at += 1)
      value |= (((this.#bytes[this.#at >> 3] ?? 0) >> (this.#at & 7)) & 1) << bit;
    return value;
  }

  /** Reads one symbol: its code has the highest bit first. Returns -1 if there is no such code. */
  readSymbol({ counts, symbols }: HuffmanCode): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_CODE_BITS; length += 1) {
      code |= ((this.#bytes[this.#at >> 3] ?? 0) >> (this.#at & 7)) & 1;
      this.#at += 1;
      const count = counts[length] ?? 0;
      if (code - count < first) return symbols[index + code - first] ?? -1;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }

  skipToByte(): void {
    this.#at = (this.#at + 7) & ~7;
  }
}

function createCode(lengths: Uint8Array): HuffmanCode {
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (let symbol = 0; symbol < lengths.length; symbol += 1) counts[lengths[symbol]!]! += 1;
  counts[0] = 0;
  /** The place of the next symbol of each length. */
  const places = new Uint16Array(MAX_CODE_BITS + 1);
  for (let length = 1; length < MAX_CODE_BITS; length += 1)
    places[length + 1] = places[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol]!;
    if (length > 0) symbols[places[length]!++] = symbol;
  }
  return { counts, symbols };
}

/** The codes of a block: of literals and lengths, and of distances. */
interface BlockCodes {
  literals: HuffmanCode;
  distances: HuffmanCode;
}

/** RFC 1951 §3.2.6. */
const FIXED: BlockCodes = {
  literals: createCode(new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280)),
  distances: createCode(new Uint8Array(30).fill(5)),
};

/** Reads the codes at the beginning of a block (RFC 1951 §3.2.7). */
function readCodes(bits: BitReader): BlockCodes {
  const literals = bits.read(5) + 257;
  const distances = bits.read(5) + 1;
  const used = bits.read(4) + 4;
  const lengthLengths = new Uint8Array(LENGTH_ORDER.length);
  for (const symbol of LENGTH_ORDER.slice(0, used)) lengthLengths[symbol] = bits.read(3);
  const lengthCode = createCode(lengthLengths);
  const lengths = new Uint8Array(literals + distances);
  for (let at = 0; at < lengths.length && !bits.isExhausted;) {
    const symbol = bits.readSymbol(lengthCode);
    if (symbol < 16) lengths[at++] = Math.max(0, symbol);
    else if (symbol === 16) lengths.fill(lengths[at - 1] ?? 0, at, (at += 3 + bits.read(2)));
    else at += symbol === 17 ? 3 + bits.read(3) : 11 + bits.read(7);
  }
  return {
    literals: createCode(lengths.subarray(0, literals)),
    distances: createCode(lengths.subarray(literals)),
  };
}

/** Decodes a block into `output` after its first `length` bytes. Returns the new length. */
function decodeBlock(
  bits: BitReader,
  { literals, distances }: BlockCodes,
  { output, length }: { output: Buffer; length: number },
): number {
  let at = length;
  while (at < output.length) {
    const symbol = bits.readSymbol(literals);
    if (bits.isExhausted || symbol < 0 || symbol === END_OF_BLOCK) break;
    if (symbol < END_OF_BLOCK) {
      output[at++] = symbol;
      continue;
    }
    const end = Math.min(at + readLength(bits, symbol), output.length);
    const distance = readDistance(bits, bits.readSymbol(distances));
    if (bits.isExhausted || distance > at) break;
    for (; at < end; at += 1) output[at] = output[at - distance] ?? 0;
  }
  return at;
}

/** Reads the extra bits of a length (RFC 1951 §3.2.5: symbols 257 to 285). */
function readLength(bits: BitReader, symbol: number): number {
  if (symbol === 285) return 258;
  const step = symbol - 257;
  const extra = Math.max(0, (step >> 2) - 1);
  return (extra === 0 ? step : (4 + (step & 3)) << extra) + 3 + bits.read(extra);
}

/** Reads the extra bits of a distance (RFC 1951 §3.2.5: symbols 0 to 29). */
function readDistance(bits: BitReader, symbol: number): number {
  if (symbol < 0 || symbol > 29) return Number.POSITIVE_INFINITY;
  const extra = Math.max(0, (symbol >> 1) - 1);
  return (extra === 0 ? symbol : (2 + (symbol & 1)) << extra) + 1 + bits.read(extra);
}

/** Copies a block that is not compressed (RFC 1951 §3.2.4). Returns the new length. */
function copyStored(bits: BitReader, output: Buffer, length: number): number {
  bits.skipToByte();
  const count = bits.read(16);
  bits.read(16);
  let at = length;
  for (const end = Math.min(length + count, output.length); at < end; at += 1) {
    const byte = bits.read(8);
    if (bits.isExhausted) break;
    output[at] = byte;
  }
  return at;
}
