import type { Socket } from 'node:net';
import { Client } from 'undici';
import { ClientQueue, type Hold, type Placed } from '#concurrency';
import type { Target } from '../guard/vet-target.ts';

const INTERIM = Buffer.from('HTTP/1.1 1');
/** The offset of the last two digits of the status. */
const DIGITS = INTERIM.length;

/**
 * Makes undici skip a 100 (Continue) that was not requested, like other interim responses (RFC 9110 §15.2),
 * by replacing it with a 102: undici closes the connection otherwise. Changes heads only, so while
 * `isHeadAwaited` returns true: the final response has not begun.
 */
function skipContinue(socket: Socket, isHeadAwaited: () => boolean): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (isHeadAwaited() && Buffer.isBuffer(chunk)) hideContinue(chunk);
    return chunk;
  };
}

function hideContinue(bytes: Buffer): void {
  let at = 0;
  while (bytes.compare(INTERIM, 0, INTERIM.length, at, Math.min(at + INTERIM.length, bytes.length)) === 0) {
    if (bytes[at + DIGITS] === 0x30 && bytes[at + DIGITS + 1] === 0x30) bytes[at + DIGITS + 1] = 0x32;
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) return;
    at = end + 4;
  }
}

/** Total time of the reads in one turn of the event loop, in milliseconds. */
const TURN_MS = 8;
/** Bytes per read of the parser. */
const MAX_SLICE_BYTES = 32 * 1024;
/**
 * Bytes per read after a slice without a head or body. Header fields and trailers cost the most per byte, and
 * beyond its limit the parser creates an error for each further field of the slice (8,000 of them took 100
 * ms).
 */
const MAX_FIELDS_SLICE_BYTES = 4 * 1024;

/** The control of a paced socket. */
interface PacedSocket {
  /** Reports that the last read yielded a head or a part of a body. */
  noteProgress(): void;
}

/**
 * Spreads the parsing of responses over turns of the event loop. One poll may deliver 2 MiB per socket, which
 * would be parsed in one turn otherwise. Clients whose sockets wait alternate.
 */
export class ReadPacer {
  readonly #turnMs: number;
  readonly #waiting = new ClientQueue<() => void>();
  #current: (() => void) | null = null;
  /** When the first read of this turn began; null if there was none. */
  #startedAt: number | null = null;

  constructor(turnMs: number = TURN_MS) {
    this.#turnMs = turnMs;
  }

  /**
   * Replaces `read` of a socket, so that it returns null if the parser must wait; `readable` follows, as
   * usual. `getClient` returns who uses it now.
   */
  pace(socket: Socket, getClient: () => string): PacedSocket {
    const read = socket.read.bind(socket);
    let isWaiting = false;
    const resume = () => {
      isWaiting = false;
      socket.emit('readable');
    };
    let isProgressing = true;
    socket.read = (size?: number): unknown => {
      // A parser that destroyed its socket would continue with all buffered bytes.
      if (socket.destroyed) return null;
      if (size !== undefined || socket.readableLength === 0) return read(size);
      if (!this.#mayRead(resume)) {
        if (!isWaiting) this.#waiting.add(getClient(), resume);
        isWaiting = true;
        return null;
      }
      const maxBytes = isProgressing ? MAX_SLICE_BYTES : MAX_FIELDS_SLICE_BYTES;
      isProgressing = false;
      return socket.readableLength > maxBytes ? read(maxBytes) : read();
    };
    return {
      noteProgress() {
        isProgressing = true;
      },
    };
  }

  #mayRead(resume: () => void): boolean {
    if (this.#waiting.length === 0 || this.#current === resume) {
      const now = performance.now();
      if (this.#startedAt === null) {
        this.#startedAt = now;
        setImmediate(this.#onTurn);
        return true;
      }
      if (now - this.#startedAt < this.#turnMs) return true;
    }
    return false;
  }

  readonly #onTurn = (): void => {
    this.#startedAt = null;
    while (this.#waiting.length > 0) {
      if (this.#startedAt !== null && performance.now() - this.#startedAt >= this.#turnMs) break;
      this.#current = this.#waiting.take() ?? null;
      this.#current?.();
    }
    this.#current = null;
    if (this.#waiting.length > 0 && this.#startedAt === null) setImmediate(this.#onTurn);
  };
}

/** The maximum bytes of header names and values in a response head; real pages reach 40 KB. */
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
  /** Closes it immediately; an exchange in flight fails. */
  destroy(): void;
}

interface PooledConnectionOptions {
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
    this.#paced = options.pacer.pace(options.socket, () => this.hold?.client ?? '');
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
