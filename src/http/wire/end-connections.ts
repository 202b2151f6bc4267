/**
 * The end of a server's connections: at shutdown no request in flight is lost and no response is cut off; a
 * client that reads nothing of its response is disconnected.
 */
import type { Server as HttpServer } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as setImmediateAsync, setTimeout as setTimeoutAsync } from 'node:timers/promises';

/** The time that the last accepted connections have to send their first request. */
const FIRST_REQUEST_MS = 500;
const IDLE_SWEEP_MS = 400;
const MAX_ACCEPT_TURNS = 2000;

/**
 * Returns a function that stops accepting connections and resolves when all have ended. Call this before the
 * server listens. The `close` of node:http would immediately end connections whose first request is in
 * transit. So the one of node:net is called, and idle connections are closed later, at intervals.
 */
export function createConnectionEnder(server: HttpServer): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function sweep(): Promise<void> {
    // In a busy process timers run before sockets are read: wait one turn.
    await setImmediateAsync();
    // For node:http a connection is idle when its response is written, before it is sent.
    if ([...sockets].some((socket) => socket.writableLength > 0)) return;
    server.closeIdleConnections();
  }

  return async () => {
    await emptyAcceptQueue(server);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    NetServer.prototype.close.call(server, () => end());
    await Promise.race([ended, setTimeoutAsync(FIRST_REQUEST_MS)]);
    const sweeping = setInterval(() => void sweep(), IDLE_SWEEP_MS);
    await ended;
    clearInterval(sweeping);
  };
}

/**
 * Accepts the connections that wait in the kernel's queue: closing the port resets them. Each turn of the
 * event loop accepts one. A connection that arrives in the microseconds between the last turn and the closing
 * is still reset: the kernel has no call that does both.
 */
async function emptyAcceptQueue(server: HttpServer): Promise<void> {
  let accepted = 0;
  const count = (): void => void (accepted += 1);
  server.on('connection', count);
  for (let turn = 0, before = -1; turn < MAX_ACCEPT_TURNS && accepted !== before; turn += 1) {
    before = accepted;
    await setImmediateAsync();
  }
  server.off('connection', count);
}

/** The kernel takes more when about a third of its buffer was read: a slow reader needs this long for it. */
const STALL_MS = 60_000;

/**
 * Closes connections whose client has stopped to read: the rest of the response would stay in memory. Node
 * restarts the time when the kernel has taken more bytes. Requests that have sent nothing yet go on. Idle
 * connections, which have a time of their own, are closed as without this function.
 */
export function closeStalledReaders(server: HttpServer): void {
  server.setTimeout(STALL_MS, (socket) => {
    // A reset: the kernel would keep its part for minutes.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else if (socket.timeout !== server.timeout) socket.destroy();
  });
}
