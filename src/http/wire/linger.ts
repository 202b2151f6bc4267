/**
 * A refusal that is sent before the request's body was read must still reach the caller. Closing at once would make the kernel answer the
 * bytes that still arrive with a reset, which destroys the answer on its way; so they are discarded for a while before the socket closes.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

const LINGER_MS = 2000;

/** Arranges that the connection closes after this answer where the request's body has not been read to its end. */
export function lingerAfterRefusal(request: IncomingMessage, reply: FastifyReply): void {
  if (request.complete || !hasBody(request)) return;
  reply.header('connection', 'close');
  if (!abrupt.has(request)) lingerOnClose(request.socket);
}

const abrupt = new WeakSet<object>();

/** Lets the connection close right after the response to this request: what still arrives would cost too much to discard. */
export function closeWithoutLinger(request: object): void {
  abrupt.add(request);
}

/** Whether a request announces a body that is not empty. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Node calls destroySoon after an answer that closes the connection: from here on that half-closes, and discards what still arrives. */
function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => endAndLinger(socket);
}

/** Lingering sockets; the one that is read next is first. */
const lingering = new Set<Socket>();
/** What all of them together may take of the event loop: a tenth. A read is followed by a pause of nine times its length, within bounds. */
const PAUSE_PER_READ = 9;
const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 20;
let reader: NodeJS.Timeout | undefined;

/** Sends what is left and then nothing more; what still arrives is discarded until the peer closes, or for a while. */
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
 * Reads from one lingering socket, in turn: a client that sends 38 MB after its refusal costs the event loop as much as one whose body is
 * wanted. A client that reads only after it has sent everything gets its refusal if that takes no longer than the socket lingers.
 */
function readNext(): void {
  const [socket] = lingering;
  if (socket === undefined) return;
  lingering.delete(socket);
  lingering.add(socket);
  const own = reader;
  readOnce(socket, (ms) => {
    // All of them may have closed meanwhile, and others may have begun.
    if (reader === own)
      reader = setTimeout(readNext, Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, PAUSE_PER_READ * ms)));
  });
}

/** Lets the socket read in one turn of the event loop, which is 2 MiB at most, and calls back with the time that this took. */
function readOnce(socket: Socket, done: (ms: number) => void): void {
  const startMs = performance.now();
  socket.resume();
  setImmediate(() => {
    if (!socket.destroyed && lingering.has(socket)) socket.pause();
    done(performance.now() - startMs);
  });
}
