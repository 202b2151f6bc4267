import type { Socket } from 'node:net';

const INTERVAL_MS = 20;

/**
 * Bounds the bytes read from sockets, including those that reach no body (chunk extensions, interim
 * responses).
 */
export interface ByteBudget {
  /**
   * Calls `onExceeded` when the socket has read more than `maxBytes` from now on. Returns the function that
   * removes the limit.
   */
  limit(socket: Socket, maxBytes: number, onExceeded: () => void): () => void;
}

/** Creates a budget without limits. One timer serves all sockets; it runs only while a limit is set. */
export function createByteBudget(): ByteBudget {
  const entries = new Set<{ socket: Socket; limit: number; onExceeded: () => void }>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    for (const entry of entries) {
      if (entry.socket.bytesRead <= entry.limit) continue;
      entries.delete(entry);
      entry.onExceeded();
    }
    if (entries.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  return {
    limit(socket, maxBytes, onExceeded) {
      const entry = { socket, limit: socket.bytesRead + maxBytes, onExceeded };
      entries.add(entry);
      timer ??= setInterval(check, INTERVAL_MS).unref();
      return () => entries.delete(entry);
    },
  };
}

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
