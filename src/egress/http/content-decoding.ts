import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  inflateRawSync,
} from 'node:zlib';
import { Refusal } from '../guard/refusal.ts';

/** A Content-Encoding that can be decoded. */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** The request header for what can be decoded: name and value. */
export const ACCEPT_ENCODING = ['accept-encoding', 'gzip, deflate, br, zstd'] as const;

const ALIASES = new Map<string, Coding | 'identity'>([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['', 'identity'],
  ['identity', 'identity'],
  // Not codings, but misconfigured hosts send them for none.
  ['none', 'identity'],
  ['binary', 'identity'],
  ['utf-8', 'identity'],
  ['utf8', 'identity'],
]);

/**
 * Parses a Content-Encoding header (RFC 9110 §8.4). Null for an unknown coding, and for more than one: real
 * pages use one, and each further one multiplies a decompression bomb.
 */
export function parseContentEncoding(header: string): Coding | 'identity' | null {
  let coding: Coding | 'identity' = 'identity';
  for (const token of header.slice(0, 256).toLowerCase().split(',')) {
    const known = ALIASES.get(token.trim());
    if (known === undefined) return null;
    if (known === 'identity') continue;
    if (coding !== 'identity') return null;
    coding = known;
  }
  return header.length > 256 ? null : coding;
}

/** Returns the refusal of a Content-Encoding that is not decoded. */
export function codingRefusal(header: string): Refusal {
  const tokens = header.slice(0, 256).toLowerCase().split(',');
  const isChain = header.length <= 256 && tokens.every((token) => ALIASES.has(token.trim()));
  const reason = isChain
    ? 'names several codings, of which only one is decoded'
    : 'is not one of gzip, deflate, br, zstd';
  return new Refusal(`content-encoding ${header.slice(0, 100)}`, {
    publicFailure: `could not be read: its Content-Encoding ${reason}`,
  });
}

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
function decodeFirstGzipMember(coded: Buffer, maxBytes: number): Buffer | null {
  try {
    return inflateRawSync(coded.subarray(computeDataStart(coded)), { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}

/** Receives the decoded bytes. */
export interface DecodedListener {
  onDecoded(chunk: Buffer): void;
  /** The encoded stream was complete. */
  onDecodedEnd(): void;
  /** The encoded stream ended too early; all that could be decoded was delivered. */
  onTruncated(): void;
  onCorrupt(error: Error): void;
  /** The decoder has processed what was written: more may be written. */
  onDrain(): void;
}

export interface Decoder {
  /** False if the writer must wait for `onDrain`. */
  write(chunk: Buffer): boolean;
  end(): void;
  destroy(): void;
}

/** Enough bytes to distinguish every coding from plain text. */
const SNIFF_BYTES = 4;

const GZIP_MARK = [0x1f, 0x8b];
const ZSTD_MARK = [0x28, 0xb5, 0x2f, 0xfd];
/** After a first byte of 0x50 to 0x5f (RFC 8878 §3.1.2). */
const SKIPPABLE_REST = [0x2a, 0x4d, 0x18];

function isZlibHeader(prefix: Buffer): boolean {
  const [method = 0, flags = 0] = prefix;
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
}

/**
 * Reports whether `prefix` begins with `mark`, or is the beginning of it: a short body may be truncated
 * within the mark.
 */
function beginsAs(mark: readonly number[], prefix: Buffer): boolean {
  return prefix.length > 0 && mark.slice(0, prefix.length).every((byte, index) => prefix[index] === byte);
}

function isZstdMagic(prefix: Buffer): boolean {
  const isSkippable = ((prefix[0] ?? 0) & 0xf0) === 0x50 && beginsAs(SKIPPABLE_REST, prefix.subarray(1));
  return beginsAs(ZSTD_MARK, prefix) || isSkippable;
}

/**
 * Reports whether bytes begin as markup or white space, after an optional byte order mark: some hosts claim a
 * coding they do not use.
 */
function looksLikeText(prefix: Buffer): boolean {
  const text = prefix[0] === 0xef && prefix[1] === 0xbb ? prefix.subarray(3) : prefix;
  return text.length > 0 && [0x3c, 0x20, 0x0a, 0x0d, 0x09].includes(text[0] ?? 0);
}

type ZlibStream =
  | ReturnType<typeof createGunzip>
  | ReturnType<typeof createInflateRaw>
  | ReturnType<typeof createBrotliDecompress>
  | ReturnType<typeof createZstdDecompress>;

/**
 * Opens the stream for a coding; null if the first bytes show that the body is not encoded, contrary to its
 * header.
 */
function openStream(coding: Coding, prefix: Buffer): ZlibStream | null {
  const chunkSize = 64 * 1024;
  if (coding === 'gzip') return beginsAs(GZIP_MARK, prefix) ? createGunzip({ chunkSize }) : null;
  if (coding === 'zstd') {
    // RFC 9659: a window of 8 MiB at most.
    const params = { [constants.ZSTD_d_windowLogMax]: 23 };
    return isZstdMagic(prefix) ? createZstdDecompress({ chunkSize, params }) : null;
  }
  if (coding === 'deflate' && isZlibHeader(prefix)) return createInflate({ chunkSize });
  if (looksLikeText(prefix)) return null;
  return coding === 'br' ? createBrotliDecompress({ chunkSize }) : createInflateRaw({ chunkSize });
}

const TRUNCATED_CODES = new Set(['Z_BUF_ERROR', 'ERR_BUFFER_TOO_SMALL']);

/** The error of zlib if a complete gzip member is followed by something else. */
const NO_MEMBER = 'incorrect header check';
/** Bytes of a gzip body that are kept, so that what follows its first member can be ignored. */
const MAX_KEPT_BYTES = 1024 * 1024;
const MAX_MEMBER_BYTES = 4 * 1024 * 1024;

/**
 * Decodes one coding as the bytes arrive. A body that is not encoded, contrary to its header, is passed on
 * unchanged.
 */
class StreamDecoder implements Decoder {
  readonly #coding: Coding;
  readonly #listener: DecodedListener;
  #prefix: Buffer | null = null;
  #stream: ZlibStream | null = null;
  #isPlain = false;
  #pendingWrites = 0;
  #isEnding = false;
  #decodedBytes = 0;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  constructor(coding: Coding, listener: DecodedListener) {
    this.#coding = coding;
    this.#listener = listener;
  }

  write(chunk: Buffer): boolean {
    if (this.#stream !== null || this.#isPlain) return this.#pass(chunk);
    this.#prefix = this.#prefix === null ? chunk : Buffer.concat([this.#prefix, chunk]);
    return this.#prefix.length < SNIFF_BYTES ? true : this.#open(this.#prefix);
  }

  #open(first: Buffer): boolean {
    this.#stream = openStream(this.#coding, first);
    this.#isPlain = this.#stream === null;
    this.#stream
      ?.on('data', (chunk: Buffer) => {
        this.#decodedBytes += chunk.length;
        this.#listener.onDecoded(chunk);
      })
      .on('end', () => this.#listener.onDecodedEnd())
      .on('drain', () => this.#listener.onDrain())
      .on('error', (error: Error & { code?: string }) => this.#onError(error));
    return this.#pass(first);
  }

  #onError(error: Error & { code?: string }): void {
    const rest = error.message === NO_MEMBER ? this.#decodeRest() : null;
    if (rest !== null) {
      this.#listener.onDecoded(rest);
      this.#listener.onDecodedEnd();
    } else if (TRUNCATED_CODES.has(error.code ?? '')) this.#listener.onTruncated();
    else this.#listener.onCorrupt(error);
  }

  /**
   * Decodes the first member again: zlib fails on what follows it, and browsers ignore that. Null if that
   * fails too.
   */
  #decodeRest(): Buffer | null {
    if (this.#coding !== 'gzip' || this.#keptBytes > MAX_KEPT_BYTES) return null;
    const member = decodeFirstGzipMember(Buffer.concat(this.#kept), MAX_MEMBER_BYTES);
    return member?.subarray(this.#decodedBytes) ?? null;
  }

  #keep(chunk: Buffer): void {
    this.#keptBytes += chunk.length;
    if (this.#keptBytes > MAX_KEPT_BYTES) this.#kept = [];
    else this.#kept.push(chunk);
  }

  #pass(chunk: Buffer): boolean {
    if (this.#stream === null) {
      this.#listener.onDecoded(chunk);
      return true;
    }
    if (this.#coding === 'gzip') this.#keep(chunk);
    this.#pendingWrites += 1;
    return this.#stream.write(chunk, this.#onWritten);
  }

  readonly #onWritten = (): void => {
    this.#pendingWrites -= 1;
    if (this.#isEnding && this.#pendingWrites === 0) this.#stream?.end();
  };

  end(): void {
    this.#isEnding = true;
    if (this.#stream === null && !this.#isPlain && this.#prefix !== null) this.#open(this.#prefix);
    if (this.#stream === null) this.#listener.onDecodedEnd();
    // Ending during a write would lose its output if the stream is truncated.
    else if (this.#pendingWrites === 0) this.#stream.end();
  }

  destroy(): void {
    this.#stream?.destroy();
  }
}

/** Creates the decoder of a coding. */
export function createDecoder(coding: Coding, listener: DecodedListener): Decoder {
  return new StreamDecoder(coding, listener);
}
