import type { Socket } from 'node:net';

/** Total time of the reads in one turn of the event loop, in milliseconds. */
const TURN_MS = 8;
/** Bytes per read of the parser. */
const MAX_SLICE_BYTES = 32 * 1024;
/**
 * The same after a slice without a head or body. Header fields and trailers cost the most per byte, and
 * beyond its limit the parser creates an error for each further field of the slice (8,000 of them took 100
 * ms).
 */
const MAX_FIELDS_SLICE_BYTES = 4 * 1024;

/** The control of a paced socket. */
export interface PacedSocket {
  /** Reports that the last read yielded a head or a part of a body. */
  noteProgress(): void;
}

/**
 * Spreads the parsing of responses over turns of the event loop. One poll may deliver 2 MiB per socket, which
 * would be parsed in one turn otherwise. Sockets that wait are served in order of arrival.
 */
export class ReadPacer {
  readonly #turnMs: number;
  readonly #waiting = new Set<() => void>();
  #current: (() => void) | null = null;
  /** When the first read of this turn began; null if there was none. */
  #startedAt: number | null = null;

  constructor(turnMs: number = TURN_MS) {
    this.#turnMs = turnMs;
  }

  /**
   * Replaces `read` of a socket, so that it returns null if the parser must wait; `readable` follows, as
   * usual.
   */
  pace(socket: Socket): PacedSocket {
    const read = socket.read.bind(socket);
    const resume = () => void socket.emit('readable');
    let isProgressing = true;
    socket.read = (size?: number): unknown => {
      // A parser that destroyed its socket would continue with all buffered bytes.
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
