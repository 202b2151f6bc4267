/**
 * Lets a refusal that is sent before the request's body was read reach the client. If the socket closed at
 * once, the kernel would respond to the bytes that still arrive with a reset, and the reset would destroy the
 * refusal. So these bytes are discarded for some time before the socket closes.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { TinyChunksError } from './json/body-limits.ts';

declare module 'fastify' {
  interface FastifyInstance {
    lingering: LingeringSockets;
  }
}

const LINGER_MS = 2000;
/** All lingering sockets may use a tenth of the event loop: the pause after a read is nine times as long. */
const PAUSE_PER_READ = 9;
const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 20;

/** True if a request announces a body that is not empty. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The sockets of one server that discard what arrives before they close. */
export class LingeringSockets {
  /** The first one is read next. */
  readonly #sockets = new Set<Socket>();
  #reader: NodeJS.Timeout | undefined;

  /** Closes the connection after the response with `error` if the request's body was not received whole. */
  closeAfterRefusal(request: IncomingMessage, reply: FastifyReply, error: unknown): void {
    if (request.complete || !hasBody(request)) return;
    reply.header('connection', 'close');
    // Tiny chunks cost too much to discard: the socket closes immediately.
    if (error instanceof TinyChunksError) return;
    const { socket } = request;
    // Node calls this after a response that closes the connection.
    socket.destroySoon = () => this.endAndLinger(socket);
  }

  /** Ends the sending after `last`, and discards what arrives until the peer closes, or for LINGER_MS. */
  endAndLinger(socket: Socket, last?: string): void {
    if (this.#sockets.has(socket) || socket.destroyed) return;
    if (last === undefined) socket.end();
    else socket.end(last);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#sockets.delete(socket);
      if (this.#sockets.size > 0) return;
      clearTimeout(this.#reader);
      this.#reader = undefined;
    });
    this.#sockets.add(socket);
    this.#reader ??= setTimeout(this.#readNext, MIN_PAUSE_MS);
    this.#readOnce(socket, () => {});
  }

  /**
   * Reads from one lingering socket at a time, because discarding 38 MB takes the event loop as long as
   * receiving them. A client that reads only after it has sent everything gets its refusal if it is done
   * within LINGER_MS.
   */
  readonly #readNext = (): void => {
    const [socket] = this.#sockets;
    if (socket === undefined) return;
    this.#sockets.delete(socket);
    this.#sockets.add(socket);
    const own = this.#reader;
    this.#readOnce(socket, (ms) => {
      // Meanwhile all of them may have closed, and a new reader may have started.
      if (this.#reader !== own) return;
      const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, PAUSE_PER_READ * ms));
      this.#reader = setTimeout(this.#readNext, pauseMs);
    });
  };

  /** Reads for one turn of the event loop, 2 MiB at most, and calls back with the time that it took. */
  #readOnce(socket: Socket, done: (ms: number) => void): void {
    const startMs = performance.now();
    socket.resume();
    setImmediate(() => {
      if (!socket.destroyed && this.#sockets.has(socket)) socket.pause();
      done(performance.now() - startMs);
    });
  }
}
