import { onAbort } from './deadline.ts';

export interface SemaphoreOptions {
  /** Places that only preferred tasks get; none by default. */
  reserved?: number;
  /** Tasks of one key that may wait; by default, as many as the queue holds. */
  maxQueuedPerKey?: number;
  /** Creates the error of a task that gets no place: the queue is full, or the wait was too long. */
  createError?: () => Error;
}

export interface TaskOptions {
  /** Preferred tasks run first, may use the reserved places, and wait even if the queue is full. */
  isPreferred?: boolean;
  /** Counted by `maxQueuedPerKey`. */
  key?: string;
}

export interface AcquireOptions extends TaskOptions {
  /** Aborting leaves the queue; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The longest wait; unlimited by default. */
  maxWaitMs?: number;
  /** Called if the task has to wait. */
  onWait?: () => void;
}

interface Waiter {
  run: () => void;
  key: string | undefined;
}

/**
 * Lets `maxRunning` tasks run at a time and `maxQueued` more wait. Preferred tasks run before the others;
 * tasks of each kind run in order of arrival.
 */
export class Semaphore {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #options: Required<SemaphoreOptions>;
  readonly #preferred = new Set<Waiter>();
  readonly #others = new Set<Waiter>();
  #running = 0;

  constructor(maxRunning: number, maxQueued: number, options: SemaphoreOptions = {}) {
    this.#maxRunning = maxRunning;
    this.#maxQueued = maxQueued;
    this.#options = {
      reserved: 0,
      maxQueuedPerKey: Infinity,
      createError: () => new Error('the queue is full'),
      ...options,
    };
  }

  /** Tasks that hold a place. */
  get running(): number {
    return this.#running;
  }

  /** Tasks in the queue. */
  get waiting(): number {
    return this.#preferred.size + this.#others.size;
  }

  /**
   * Calls `run` now, or later when a place is free; `run` must not throw. Returns the function that releases
   * the place or leaves the queue; null if the queue is full.
   */
  tryAcquire(run: () => void, { isPreferred = false, key }: TaskOptions = {}): (() => void) | null {
    if (!this.#hasPlace(isPreferred) && !this.#mayWait(isPreferred, key)) return null;
    const queue = isPreferred ? this.#preferred : this.#others;
    const waiter = { run, key };
    let isReleased = false;
    queue.add(waiter);
    this.#startNext();
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (queue.delete(waiter)) return;
      this.#running -= 1;
      this.#startNext();
    };
  }

  /** Returns the function that releases a place; null if none is free. Never waits. */
  tryAcquireNow(task: TaskOptions = {}): (() => void) | null {
    return this.#hasPlace(task.isPreferred ?? false) ? this.tryAcquire(() => {}, task) : null;
  }

  /**
   * Waits for a place and returns the function that releases it. Rejects with the signal's reason, and with
   * the error of `createError`.
   */
  async acquire({ signal, maxWaitMs, onWait, ...task }: AcquireOptions = {}): Promise<() => void> {
    signal?.throwIfAborted();
    const free = this.tryAcquireNow(task);
    if (free !== null) return free;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const release = this.tryAcquire(resolve, task);
    if (release === null) throw this.#options.createError();
    const timer =
      maxWaitMs === undefined ? undefined : setTimeout(() => reject(this.#options.createError()), maxWaitMs);
    const stopListening = onAbort(signal, reject);
    try {
      onWait?.();
      await promise;
      return release;
    } catch (error) {
      // Releases the place too if it was granted after the abort.
      release();
      throw error;
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }

  #hasPlace(isPreferred: boolean): boolean {
    return this.#running < this.#maxRunning - (isPreferred ? 0 : this.#options.reserved);
  }

  #mayWait(isPreferred: boolean, key: string | undefined): boolean {
    if (!isPreferred && this.waiting >= this.#maxQueued) return false;
    const { maxQueuedPerKey } = this.#options;
    return maxQueuedPerKey === Infinity || this.#countWaiting(key) < maxQueuedPerKey;
  }

  #countWaiting(key: string | undefined): number {
    let count = 0;
    for (const waiter of [...this.#preferred, ...this.#others]) if (waiter.key === key) count += 1;
    return count;
  }

  #startNext(): void {
    this.#startFrom(this.#preferred, true);
    this.#startFrom(this.#others, false);
  }

  #startFrom(queue: Set<Waiter>, isPreferred: boolean): void {
    for (const waiter of queue) {
      if (!this.#hasPlace(isPreferred)) return;
      queue.delete(waiter);
      this.#running += 1;
      waiter.run();
    }
  }
}
