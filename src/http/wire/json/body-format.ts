import { ApiError, type ErrorCode } from '#errors';
import { type JsonLimits, notAnObject } from './body-limits.ts';

/** The body of one operation: its limits, and how its members become a request. */
export interface BodyFormat<T> {
  /** Its key in BODY_FORMATS, by which the worker finds it. */
  name: string;
  maxBytes: number;
  limits: JsonLimits;
  /** Converts a body that is no JSON, in linear time and bounded memory, to its members. Throws ApiError. */
  readText?: (text: string) => Record<string, unknown>;
  /** Checks the members. Throws ApiError. The result crosses threads: plain data only. */
  parse: (members: Record<string, unknown>) => T;
  /** Returns the bytes of memory that the result holds. */
  measure(value: T): number;
  /** Lists the buffers of a result that are moved to the other thread; without it, all are cloned. */
  listBuffers?(value: T): ArrayBuffer[];
}

/** A body to parse in the worker. Its buffer is transferred. */
export interface ParseTask {
  format: string;
  bytes: Uint8Array;
}

/** The result: the request, or the fields of an ApiError. */
export type ParseOutcome =
  | { value: unknown; /** Its buffers that were moved. */ buffers: ArrayBuffer[] }
  | {
      fault: {
        code: ErrorCode;
        message: string;
        param: string | undefined;
        retryAfterSeconds: number | undefined;
      };
    };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a whole body and releases its bytes. Throws ApiError: `notObject` of the format if it is no JSON
 * object.
 */
export function parseBody<T>(format: BodyFormat<T>, bytes: Uint8Array): T {
  if (format.readText) return format.parse(format.readText(decodeText(bytes)));
  if (bytes.length === 0) throw new ApiError(format.limits.notObject);
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw notAnObject(format.limits.notObject, describeType(value));
  return format.parse(value as Record<string, unknown>);
}

/** Names the type of a value of JSON, for a message. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return { string: 'a text', object: 'an object' }[typeof value as string] ?? `a ${typeof value}`;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ApiError('invalid_parameter', 'The body is not valid UTF-8: save it as UTF-8.', { cause });
  } finally {
    releaseBytes(bytes);
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    releaseBytes(bytes);
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('invalid_json', undefined, { cause });
  }
}

/** Up to this size a body is kept in ordinary memory. */
export const SMALL_BODY_BYTES = 64 * 1024;
const FIRST_BYTES = 4 * 1024;
const FIRST_LARGE_BYTES = 256 * 1024;

/**
 * Holds the bytes of one body while it arrives. A large body is in a resizable ArrayBuffer: it grows without
 * copies, pages that were never written cost nothing, and releaseBytes returns them to the system at once.
 * Memory of malloc might stay with the process.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;

  /** `maxBytes`: the announced length, else the limit. The caller appends no more than that. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    // A body that arrives whole is not copied.
    if (this.#length === 0 && length <= SMALL_BODY_BYTES) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
  }

  /** Returns the bytes so far, without a copy. */
  toBytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  release(): void {
    releaseBytes(this.#bytes);
    this.#bytes = new Uint8Array(0);
  }

  #grow(length: number): void {
    const { buffer } = this.#bytes;
    const doubled = Math.max(length, 2 * this.#bytes.length);
    if (buffer instanceof ArrayBuffer && buffer.resizable) {
      buffer.resize(Math.min(this.#maxBytes, doubled));
      return;
    }
    const previous = this.toBytes();
    this.#bytes =
      length <= SMALL_BODY_BYTES
        ? new Uint8Array(Math.max(FIRST_BYTES, Math.min(SMALL_BODY_BYTES, doubled)))
        : allocateLarge(Math.min(this.#maxBytes, Math.max(FIRST_LARGE_BYTES, doubled)), this.#maxBytes);
    this.#bytes.set(previous);
  }
}

function allocateLarge(bytes: number, maxBytes: number): Uint8Array {
  try {
    return new Uint8Array(new ArrayBuffer(bytes, { maxByteLength: maxBytes }));
  } catch (cause) {
    throw new ApiError('overloaded', undefined, { cause });
  }
}

/**
 * Returns the memory of a large body to the system, unless it was moved to another thread. Its bytes can no
 * longer be used.
 */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.resizable && !buffer.detached) buffer.resize(0);
}
