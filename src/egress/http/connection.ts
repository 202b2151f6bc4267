import type { Socket } from 'node:net';
import { Client } from 'undici';
import { skipContinue } from './interim-responses.ts';
import type { PacedSocket, ReadPacer } from './read-pacer.ts';
import type { Hold, Placed } from './host-places.ts';
import type { Target } from '../guard/target.ts';

/** A response head may have this many bytes of header names and values; real pages reach 40 KB. */
const MAX_HEADER_BYTES = 64 * 1024;

/** One socket to one origin with an HTTP/1.1 parser on it; carries one exchange at a time. */
export interface Connection {
  readonly socket: Socket;
  readonly client: Client;
  /** Whether an exchange went over it before: the host may have closed it meanwhile. */
  readonly isReused: boolean;
  /** Whether a request is out whose answer, interim ones aside, has not begun. */
  isHeadAwaited: boolean;
  /** A head or a part of a body came. */
  noteProgress(): void;
  /** Gives it back after an exchange; it is kept only if the parser left its socket open. */
  release(): void;
  /** Closes it at once; whatever is in flight on it fails. */
  destroy(): void;
}

export interface PooledConnectionOptions {
  target: Target;
  /** Partition and origin: what it may be reused for. */
  key: string;
  /** The request it was dialed for. */
  hold: Hold;
  socket: Socket;
  pacer: ReadPacer;
  /** 0 closes it after its first exchange. */
  keepAliveMs: number;
  openedAt: number;
  onRelease: (connection: PooledConnection) => void;
}

/** A client on a socket that was dialled under the policy; it can never open another. */
function createClient({ target, socket, keepAliveMs }: PooledConnectionOptions): Client {
  let isSpent = false;
  return new Client(target.origin, {
    connect: (_options, callback) => {
      const wasSpent = isSpent;
      isSpent = true;
      // Not before this returns: the client does not look at its queue again inside of it.
      queueMicrotask(() => {
        if (wasSpent) callback(new Error('the connection is spent'), null);
        else callback(null, socket);
      });
    },
    allowH2: false,
    pipelining: keepAliveMs > 0 ? 1 : 0,
    keepAliveTimeout: Math.max(keepAliveMs, 1),
    keepAliveMaxTimeout: Math.max(keepAliveMs, 1),
    maxHeaderSize: MAX_HEADER_BYTES,
    // Deadlines are the fetch's own: these timers are coarse, and per read rather than in all.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** A connection as its pool keeps it. */
export class PooledConnection implements Connection, Placed {
  readonly socket: Socket;
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
    // The parser decides on keep-alive right after it reported the end of the response.
    queueMicrotask(() => this.#onRelease(this));
  }

  destroy(): void {
    this.socket.destroy();
  }
}
