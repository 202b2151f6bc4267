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

const lingering = new WeakSet<Socket>();

/** Sends what is left and then nothing more; what still arrives is discarded until the peer closes, or for a while. */
export function endAndLinger(socket: Socket, last?: string): void {
  if (lingering.has(socket)) return;
  lingering.add(socket);
  if (last === undefined) socket.end();
  else socket.end(last);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
