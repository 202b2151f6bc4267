import { ApiError } from '#errors';

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
