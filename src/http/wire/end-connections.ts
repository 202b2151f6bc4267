/** How a server that is told to stop lets go of its connections: no request that is on its way is lost, no answer is cut short. */
import type { Server as HttpServer } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as setImmediateAsync, setTimeout as setTimeoutAsync } from 'node:timers/promises';

/** How long a connection that was accepted last may take to send its first request. */
const FIRST_REQUEST_MS = 500;
const IDLE_SWEEP_MS = 400;
const MAX_ACCEPT_TURNS = 2000;

/**
 * Makes the function that stops accepting and answers once every connection has ended; call this before the server listens. http's own
 * close would cut off at once what was just accepted and whose first request is on its way; so net's is called, and what is idle is
 * closed a moment later, again and again.
 */
export function createConnectionEnder(server: HttpServer): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function sweep(): Promise<void> {
    // A busy process comes to its timers before it has read what arrived meanwhile: a turn later it has.
    await setImmediateAsync();
    // To node:http a connection is idle as soon as its answer is handed over, before it is sent.
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
 * What waits in the kernel's queue when the port closes is reset, and each turn of the event loop accepts one: turn until nobody waits. Who
 * connects between the last turn and the closing, some microseconds, is reset all the same: no call of the kernel does both at once.
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
