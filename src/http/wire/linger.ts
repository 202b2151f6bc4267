/**
 * Lets a refusal that is sent before the request's body was read reach the client. If the socket closed at
 * once, the kernel would respond to the bytes that still arrive with a reset, and the reset would destroy the
 * refusal. So these bytes are discarded for some time before the socket closes.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

const LINGER_MS = 2000;

/** Closes the connection after this response if the request's body has not been received whole. */
export function lingerAfterRefusal(request: IncomingMessage, reply: FastifyReply): void {
  if (request.complete || !hasBody(request)) return;
  reply.header('connection', 'close');
  if (!abruptRequests.has(request)) lingerOnClose(request.socket);
}

const abruptRequests = new WeakSet<object>();

/**
 * Closes the connection right after the response to this request: what arrives would cost too much to
 * discard.
 */
export function closeWithoutLinger(request: object): void {
  abruptRequests.add(request);
}

/** True if a request announces a body that is not empty. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Replaces destroySoon, which Node calls after a response that closes the connection. */
function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => endAndLinger(socket);
}

/** Lingering sockets. The first one is read next. */
const lingering = new Set<Socket>();
/** All of them together may use a tenth of the event loop: the pause after a read is nine times as long. */
const PAUSE_PER_READ = 9;
const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 20;
let reader: NodeJS.Timeout | undefined;

/** Ends the sending after `last`, and discards what arrives until the peer closes, or for LINGER_MS. */
export function endAndLinger(socket: Socket, last?: string): void {
  if (lingering.has(socket) || socket.destroyed) return;
  if (last === undefined) socket.end();
  else socket.end(last);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    lingering.delete(socket);
    if (lingering.size > 0) return;
    clearTimeout(reader);
    reader = undefined;
  });
  lingering.add(socket);
  reader ??= setTimeout(readNext, MIN_PAUSE_MS);
  readOnce(socket, () => {});
}

/**
 * Reads from one lingering socket at a time, because discarding 38 MB takes the event loop as long as
 * receiving them. A client that reads only after it has sent everything gets its refusal if it is done within
 * LINGER_MS.
 */
function readNext(): void {
  const [socket] = lingering;
  if (socket === undefined) return;
  lingering.delete(socket);
  lingering.add(socket);
  const own = reader;
  readOnce(socket, (ms) => {
    // Meanwhile all of them may have closed, and a new reader may have started.
    if (reader === own)
      reader = setTimeout(readNext, Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, PAUSE_PER_READ * ms)));
  });
}

/** Reads for one turn of the event loop, 2 MiB at most, and calls back with the time that it took. */
function readOnce(socket: Socket, done: (ms: number) => void): void {
  const startMs = performance.now();
  socket.resume();
  setImmediate(() => {
    if (!socket.destroyed && lingering.has(socket)) socket.pause();
    done(performance.now() - startMs);
  });
}
