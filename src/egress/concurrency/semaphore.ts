/** Lets `maxRunning` tasks run at once and `maxQueued` more wait, in order of arrival. */
export class Semaphore {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #queue = new Set<() => void>();
  #running = 0;

  constructor(maxRunning: number, maxQueued: number) {
    this.#maxRunning = maxRunning;
    this.#maxQueued = maxQueued;
  }

  /** Tasks that hold a place. */
  get running(): number {
    return this.#running;
  }

  /** Tasks in the queue. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Calls `run` now, or later when a place is free. Returns the function that releases the place or leaves
   * the queue; null if the queue is full.
   */
  tryAcquire(run: () => void): (() => void) | null {
    if (this.#running >= this.#maxRunning && this.#queue.size >= this.#maxQueued) return null;
    let isReleased = false;
    this.#queue.add(run);
    this.#startNext();
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (this.#queue.delete(run)) return;
      this.#running -= 1;
      this.#startNext();
    };
  }

  /**
   * Waits for a place and returns the function that releases it. Rejects with the signal's reason, and with
   * an Error if the queue is full.
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const release = this.tryAcquire(resolve);
    if (release === null) throw new Error('the queue is full');
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
      return release;
    } catch (error) {
      release();
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #startNext(): void {
    for (const run of this.#queue) {
      if (this.#running >= this.#maxRunning) return;
      this.#queue.delete(run);
      this.#running += 1;
      run();
    }
  }
}
