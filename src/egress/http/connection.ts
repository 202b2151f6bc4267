import type { Socket } from 'node:net';
import { Client } from 'undici';
import { skipContinue } from './interim-responses.ts';
import type { Hold, Placed } from './place-request.ts';
import type { PacedSocket, ReadPacer } from './read-pacer.ts';
import type { Target } from '../guard/target.ts';

/** Bytes of header names and values in a response head at most; real pages reach 40 KB. */
const MAX_HEADER_BYTES = 64 * 1024;

/** One socket to one origin with its HTTP/1.1 parser. Carries one exchange at a time. */
export interface Connection {
  readonly socket: Socket;
  /** The address of the peer, verified when the socket connected. */
  readonly peer: string;
  readonly client: Client;
  /** True if it carried an exchange before: the host may have closed it since then. */
  readonly isReused: boolean;
  /** True if a request was sent whose final response has not begun. */
  isHeadAwaited: boolean;
  /** Reports that a head or a part of a body arrived. */
  noteProgress(): void;
  /** Releases it after an exchange. It is kept only if the parser left its socket open. */
  release(): void;
  /** Closes it at once; an exchange in flight fails. */
  destroy(): void;
}

export interface PooledConnectionOptions {
  target: Target;
  /** Partition and origin; only requests with the same key reuse it. */
  key: string;
  /** The request it was dialed for. */
  hold: Hold;
  socket: Socket;
  peer: string;
  pacer: ReadPacer;
  /** 0 closes it after its first exchange. */
  keepAliveMs: number;
  openedAt: number;
  onRelease: (connection: PooledConnection) => void;
}

/** Creates a client on a socket that was dialed under the policy. The client cannot open another socket. */
function createClient({ target, socket, keepAliveMs }: PooledConnectionOptions): Client {
  let isUsed = false;
  return new Client(target.origin, {
    connect: (_options, callback) => {
      const wasUsed = isUsed;
      isUsed = true;
      // After this returns: the client does not check its queue again inside of `connect`.
      queueMicrotask(() => {
        if (wasUsed) callback(new Error('the connection was used before'), null);
        else callback(null, socket);
      });
    },
    allowH2: false,
    pipelining: keepAliveMs > 0 ? 1 : 0,
    keepAliveTimeout: Math.max(keepAliveMs, 1),
    keepAliveMaxTimeout: Math.max(keepAliveMs, 1),
    maxHeaderSize: MAX_HEADER_BYTES,
    // A fetch has a deadline of its own: these timers are coarse, and per read rather than in total.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** A connection with the state that its pool needs. */
export class PooledConnection implements Connection, Placed {
  readonly socket: Socket;
  readonly peer: string;
  readonly client: Client;
  readonly host: string;
  readonly key: string;
  readonly openedAt: number;
  hold: Hold | null;
  isReused = false;
  isHeadAwaited = false;
  readonly #paced: PacedSocket;
  readonly #onRelease: (connection: PooledConnection) => void;

  constructor(options: PooledConnectionOptions) {
    this.socket = options.socket;
    this.peer = options.peer;
    this.host = options.target.host;
    this.key = options.key;
    this.openedAt = options.openedAt;
    this.hold = options.hold;
    this.#onRelease = options.onRelease;
    this.#paced = options.pacer.pace(options.socket);
    skipContinue(options.socket, () => this.isHeadAwaited);
    this.client = createClient(options);
  }

  noteProgress(): void {
    this.#paced.noteProgress();
  }

  release(): void {
    this.isReused = true;
    // The parser decides on keep-alive just after it reports the end of the response.
    queueMicrotask(() => this.#onRelease(this));
  }

  destroy(): void {
    this.socket.destroy();
  }
}
