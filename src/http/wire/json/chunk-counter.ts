import { ApiError } from '#errors';

/** A body may arrive in so many chunks of any size. */
const FREE_CHUNKS = 4_096;
/** What callers are asked for. A chunk may arrive in two parts, so half of it on average is accepted. */
const CHUNK_BYTES = 64;

/**
 * Ends bodies that arrive in tiny chunks. Node spends 2 µs per chunk: without a limit, one body of single bytes would keep the process
 * busy for more than a minute.
 */
export class ChunkCounter {
  #chunks = 0;
  #bytes = 0;

  /** Counts a chunk. Throws `invalid_parameter` if there are too many for the bytes that they brought. */
  count(bytes: number): void {
    this.#chunks += 1;
    this.#bytes += bytes;
    if (this.#chunks > FREE_CHUNKS && this.#bytes < (this.#chunks * CHUNK_BYTES) / 2)
      throw new ApiError(
        'invalid_parameter',
        `The body arrives in chunks of a few bytes: send chunks of at least ${CHUNK_BYTES} bytes, or a Content-Length.`,
      );
  }
}
