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
