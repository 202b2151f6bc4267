/** `fs.write` and `fs.writeSync` on one file descriptor. */
export interface LogOutput {
  write(bytes: Buffer, done: (error: Error | null, written: number) => void): void;
  writeSync(bytes: Buffer): number;
}

export interface LogBounds {
  maxBytes: number;
  maxLines: number;
  /** The pause after a failed write. It doubles with every further failure, up to MAX_PAUSE_MS. */
  firstPauseMs: number;
}

const BOUNDS: LogBounds = { maxBytes: 1024 * 1024, maxLines: 10_000, firstPauseMs: 10 };
const MAX_PAUSE_MS = 1_000;
/** The text of one write, in UTF-16 units: the size of a Linux pipe. */
const MAX_BATCH_LENGTH = 64 * 1024;
/** At exit: the pause between two attempts, and the time for a write in progress to end. */
const EXIT_PAUSE_MS = 10;

/**
 * A queue of log lines in front of a file descriptor, with one write in progress at most. A failed write is
 * repeated after a pause. If the queue is full, new lines are dropped and counted until half of it is
 * written; then `onRecover` gets the count. The newest lines are dropped because the oldest show how the
 * problem began, and because the count then appears where the lines are missing.
 */
export class LogDestination {
  /** Logs the number of dropped lines. */
  onRecover: (dropped: number) => void = () => {};
  readonly #output: LogOutput;
  readonly #bounds: LogBounds;
  readonly #lines: string[] = [];
  /** The unwritten rest of the current batch. */
  #batch: Buffer | null = null;
  /** Bytes of the queued lines and of the batch. */
  #bytes = 0;
  #dropped = 0;
  #allDropped = 0;
  #state: 'idle' | 'writing' | 'paused' = 'idle';
  #pauseMs: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #onEmpty = new Set<() => void>();

  constructor(output: LogOutput, bounds: Partial<LogBounds> = {}) {
    this.#output = output;
    this.#bounds = { ...BOUNDS, ...bounds };
    this.#pauseMs = this.#bounds.firstPauseMs;
  }

  /** The lines dropped since the start. */
  get dropped(): number {
    return this.#allDropped;
  }

  /** Queues a line, or drops it if the queue is full. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    const isFull = this.#bytes + bytes > this.#bounds.maxBytes || this.#lines.length >= this.#bounds.maxLines;
    if (isFull || this.#dropped > 0) {
      this.#dropped += 1;
      this.#allDropped += 1;
      // A line longer than the queue: no write is in progress whose end could report it.
      if (this.#state === 'idle') this.#advance(0);
      return;
    }
    this.#bytes += bytes;
    this.#lines.push(line);
    if (this.#state === 'idle') this.#writeNext();
  }

  /** Resolves when all queued lines are written, or after `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    if (this.#state === 'idle') return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty.add(resolve);
    const timer = setTimeout(resolve, timeoutMs);
    await promise;
    clearTimeout(timer);
    this.#onEmpty.delete(resolve);
  }

  /**
   * Writes the queued lines before the process exits. Blocks for about `timeoutMs` at most; the lines left
   * are lost.
   */
  flushAtExit(timeoutMs: number): void {
    const deadline = performance.now() + timeoutMs;
    clearTimeout(this.#timer);
    if (this.#state === 'writing') {
      // The callback of the write in progress will not run. Its thread gets time to finish, so that the order
      // is kept.
      sleep(EXIT_PAUSE_MS);
      this.#advance(this.#batch?.length ?? 0);
    }
    this.#state = 'writing';
    for (let batch = this.#getNextBatch(); batch !== null; batch = this.#getNextBatch()) {
      const written = this.#tryWriteSync(batch);
      if (written === null || (written === 0 && performance.now() > deadline)) return;
      if (written === 0) sleep(EXIT_PAUSE_MS);
      this.#advance(written);
    }
  }

  /** Returns the bytes that a synchronous write accepted, or null if another attempt is useless. */
  #tryWriteSync(batch: Buffer): number | null {
    try {
      return this.#output.writeSync(batch);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null;
    }
  }

  #writeNext(): void {
    const batch = this.#getNextBatch();
    if (batch === null) {
      this.#state = 'idle';
      for (const resolve of this.#onEmpty) resolve();
      return;
    }
    this.#state = 'writing';
    this.#output.write(batch, (error, written) => {
      if (error !== null || written === 0) return this.#pause();
      this.#pauseMs = this.#bounds.firstPauseMs;
      this.#advance(written);
      this.#writeNext();
    });
  }

  #pause(): void {
    this.#state = 'paused';
    this.#timer = setTimeout(() => this.#writeNext(), this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
  }

  /**
   * Returns what to write next: the rest of the last batch, else the oldest lines; null if the queue is
   * empty.
   */
  #getNextBatch(): Buffer | null {
    if (this.#batch !== null || this.#lines.length === 0) return this.#batch;
    let length = 0;
    let count = 0;
    while (count < this.#lines.length && length < MAX_BATCH_LENGTH)
      length += this.#lines[count++]?.length ?? 0;
    this.#batch = Buffer.from(
      count === 1 ? (this.#lines.shift() ?? '') : this.#lines.splice(0, count).join(''),
    );
    return this.#batch;
  }

  /** Removes what was written. Reports the dropped lines if half of the queue is free. */
  #advance(written: number): void {
    this.#bytes -= written;
    const rest = this.#batch?.subarray(written);
    this.#batch = rest === undefined || rest.length === 0 ? null : rest;
    const { maxBytes, maxLines } = this.#bounds;
    if (this.#dropped === 0 || this.#bytes > maxBytes / 2 || this.#lines.length > maxLines / 2) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.onRecover(dropped);
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
