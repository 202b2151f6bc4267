import { ApiError } from '#errors';

/** This many chunks may have any size. */
const FREE_CHUNKS = 4_096;
/**
 * The size that clients are asked for. Half of it on average is accepted: a chunk may arrive in two parts.
 */
const CHUNK_BYTES = 64;

/** The error of a body in tiny chunks. */
export class TinyChunksError extends ApiError {
  constructor() {
    super(
      'invalid_parameter',
      `The body arrives in chunks of a few bytes: send chunks of at least ${CHUNK_BYTES} bytes, or a Content-Length.`,
    );
  }
}

/**
 * Ends bodies that arrive in tiny chunks. Node spends 2 µs per chunk: without a limit, one body of single
 * bytes would keep the process busy for more than a minute.
 */
export class ChunkCounter {
  #chunks = 0;
  #bytes = 0;

  /** Counts a chunk. Throws TinyChunksError if the chunks so far are too small. */
  count(bytes: number): void {
    this.#chunks += 1;
    this.#bytes += bytes;
    if (this.#chunks > FREE_CHUNKS && this.#bytes < (this.#chunks * CHUNK_BYTES) / 2)
      throw new TinyChunksError();
  }
}
