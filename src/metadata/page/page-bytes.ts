/** Collects a page's bytes in one buffer: many small chunks must not become many small objects. */

const EMPTY = Buffer.alloc(0);
/** The first capacity, enough for most pages; each next one is twice as much. */
const FIRST_CAPACITY = 131_072;
/** A first chunk of this size is used in place: most pages have no other. */
const MIN_BORROWED_BYTES = 4_096;

export class PageBytes {
  /** Holds the page in its first `length` bytes. */
  buffer: Buffer = EMPTY;
  length = 0;
  /** `buffer` is the first chunk itself, which must not be written to. */
  #isBorrowed = false;

  append(chunk: Uint8Array): void {
    if (this.length === 0 && chunk.length >= MIN_BORROWED_BYTES) {
      this.buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      this.length = chunk.length;
      this.#isBorrowed = true;
      return;
    }
    const length = this.length + chunk.length;
    if (this.#isBorrowed || length > this.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, this.buffer.length * 2, FIRST_CAPACITY));
      grown.set(this.getBytes());
      this.buffer = grown;
      this.#isBorrowed = false;
    }
    this.buffer.set(chunk, this.length);
    this.length = length;
  }

  clear(): void {
    this.buffer = EMPTY;
    this.length = 0;
  }

  /** Returns a view of the page's bytes. */
  getBytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }
}
