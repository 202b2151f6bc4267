/** Bytes gathered in one growing block: a body of a million tiny chunks costs no more than its size. */
export interface ByteBuffer {
  append(chunk: Uint8Array): void;
  /** What was gathered, not copied. */
  read(): Uint8Array;
}

/** An empty buffer. */
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
    read: () => block.subarray(0, length),
  };
}
