/**
 * Collects bytes in one growing block, so that a body of a million tiny chunks costs no more than its size.
 */
export interface ByteBuffer {
  append(chunk: Uint8Array): void;
  /** Returns the collected bytes, not copied. */
  getBytes(): Uint8Array;
}

/** Creates an empty buffer. */
export function createByteBuffer(): ByteBuffer {
  let block = new Uint8Array(16 * 1024);
  let length = 0;
  return {
    append(chunk) {
      if (length + chunk.length > block.length) {
        const larger = new Uint8Array(Math.max(block.length * 2, length + chunk.length));
        larger.set(block.subarray(0, length));
        block = larger;
      }
      block.set(chunk, length);
      length += chunk.length;
    },
    getBytes: () => block.subarray(0, length),
  };
}
