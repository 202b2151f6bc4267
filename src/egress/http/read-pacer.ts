import type { Socket } from 'node:net';

/** How long the reads of one turn of the event loop may take together, in milliseconds. */
const TURN_MS = 8;
/** Bytes that the parser gets at a time. */
const MAX_SLICE_BYTES = 32 * 1024;
/**
 * The same after a slice that brought neither a head nor body: header fields and trailers cost the most per byte, and past its limit the
 * parser makes an error for each further field of the slice (8,000 of them took 100 ms).
 */
const MAX_FIELDS_SLICE_BYTES = 4 * 1024;

/** How the owner controls a paced socket. */
export interface PacedSocket {
  /** A head or a part of a body came out of what was read. */
  noteProgress(): void;
}

/**
 * Spreads what hosts send over turns of the event loop. One poll may bring 2 MiB for each socket, which would be parsed in one turn
 * otherwise. Sockets that have to wait are served in the order in which they came.
 */
export class ReadPacer {
  readonly #turnMs: number;
  readonly #waiting = new Set<() => void>();
  #current: (() => void) | null = null;
  /** When the first read of this turn began; null before it. */
  #startedAt: number | null = null;

  constructor(turnMs: number = TURN_MS) {
    this.#turnMs = turnMs;
  }

  /** Makes `read` of a socket give what may be parsed now: null means later, announced by `readable` as usual. */
  pace(socket: Socket): PacedSocket {
    const read = socket.read.bind(socket);
    const resume = () => void socket.emit('readable');
    let isProgressing = true;
    socket.read = (size?: number): unknown => {
      // A parser that destroyed its socket would go on with all that had come.
      if (socket.destroyed) return null;
      if (size !== undefined || socket.readableLength === 0) return read(size);
      if (!this.#mayRead(resume)) return null;
      const maxBytes = isProgressing ? MAX_SLICE_BYTES : MAX_FIELDS_SLICE_BYTES;
      isProgressing = false;
      return socket.readableLength > maxBytes ? read(maxBytes) : read();
    };
    socket.once('close', () => this.#waiting.delete(resume));
    return {
      noteProgress() {
        isProgressing = true;
      },
    };
  }

  #mayRead(resume: () => void): boolean {
    if (this.#waiting.size === 0 || this.#current === resume) {
      const now = performance.now();
      if (this.#startedAt === null) {
        this.#startedAt = now;
        setImmediate(this.#onTurn);
        return true;
      }
      if (now - this.#startedAt < this.#turnMs) return true;
    }
    this.#waiting.add(resume);
    return false;
  }

  readonly #onTurn = (): void => {
    this.#startedAt = null;
    for (const resume of this.#waiting) {
      if (this.#startedAt !== null && performance.now() - this.#startedAt >= this.#turnMs) break;
      this.#waiting.delete(resume);
      this.#current = resume;
      resume();
    }
    this.#current = null;
    if (this.#waiting.size > 0 && this.#startedAt === null) setImmediate(this.#onTurn);
  };
}
