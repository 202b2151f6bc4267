import type { Socket } from 'node:net';

const INTERVAL_MS = 20;

/** Watches how many bytes sockets have read: what never reaches a body (chunk extensions, interim responses) counts too. */
export interface WireWatch {
  /** Calls `onExceeded` once the socket has read more than `maxBytes` from now. Returns the function that ends the watch. */
  watch(socket: Socket, maxBytes: number, onExceeded: () => void): () => void;
}

/** One timer for all sockets, that runs only while there is one to watch. */
export function createWireWatch(): WireWatch {
  const watched = new Set<{ socket: Socket; limit: number; onExceeded: () => void }>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    for (const entry of watched) {
      if (entry.socket.bytesRead <= entry.limit) continue;
      watched.delete(entry);
      entry.onExceeded();
    }
    if (watched.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  return {
    watch(socket, maxBytes, onExceeded) {
      const entry = { socket, limit: socket.bytesRead + maxBytes, onExceeded };
      watched.add(entry);
      timer ??= setInterval(check, INTERVAL_MS).unref();
      return () => watched.delete(entry);
    },
  };
}
