import { ApiError } from '#errors';

/** The right to render one document; released once. */
export interface Lease {
  release(): void;
}

export interface RenderQueueOptions {
  /** Renders at a time. */
  slots: number;
  maxQueued: number;
  maxQueuedBytes: number;
  /** The longest a document waits for its turn. */
  maxWaitMs: number;
  /** Milliseconds, monotonic or not. */
  now: () => number;
}

interface Waiting {
  keyId: string;
  bytes: number;
  grant: () => void;
  refuse: (error: unknown) => void;
}

/** Above this, a document takes seconds: one slot is kept free of such. */
const LARGE_BYTES = 512 * 1024;
/** How fast the running averages follow, and where they begin. */
const SMOOTHING = 0.2;
const FIRST_GUESS_MS = { small: 200, large: 3_000 };

type SizeClass = keyof typeof FIRST_GUESS_MS;

/**
 * Who renders next: a bounded queue, fair between API keys (the key with the fewest running renders, then the one served longest ago),
 * in which large documents never hold all slots. It refuses at once what would wait too long.
 */
export class RenderQueue {
  readonly #options: RenderQueueOptions;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  readonly #lastServed = new Map<string, number>();
  readonly #averageMs = { ...FIRST_GUESS_MS };
  readonly #busySmallLarge = { small: 0, large: 0 };
  #queued = 0;
  #queuedBytes = 0;
  #served = 0;
  #isClosed = false;
  #whenIdle: (() => void)[] = [];

  constructor(options: RenderQueueOptions) {
    this.#options = options;
  }

  get busy(): number {
    return this.#busySmallLarge.small + this.#busySmallLarge.large;
  }

  get queued(): number {
    return this.#queued;
  }

  /** Waits for a slot. Throws `overloaded` where the queue is full or the wait would be too long, and the signal's reason where the caller goes away. */
  async acquire(request: { keyId: string; bytes: number; signal?: AbortSignal | undefined }): Promise<Lease> {
    request.signal?.throwIfAborted();
    if (this.#isClosed)
      throw new ApiError('unavailable', 'The service is shutting down: send the request again.', {
        retryAfterSeconds: 5,
      });
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = {
      keyId: request.keyId,
      bytes: request.bytes,
      grant: turn.resolve,
      refuse: turn.reject,
    };
    this.#enqueue(waiting);
    const timeout = setTimeout(() => this.#refuse(waiting), this.#options.maxWaitMs).unref();
    const onAbort = (): void => {
      if (!this.#remove(waiting)) return;
      waiting.refuse(request.signal?.reason);
      this.#settleIdle();
    };
    request.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      this.#dispatch();
      await turn.promise;
    } finally {
      clearTimeout(timeout);
      request.signal?.removeEventListener('abort', onAbort);
    }
    return this.#lease(request.keyId, sizeClass(request.bytes));
  }

  /** Takes nothing new; resolves when what runs and waits has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.busy + this.#queued === 0) return;
    await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #enqueue(waiting: Waiting): void {
    this.#makeRoom(waiting);
    const waits = this.#estimateWaitMs(waiting);
    if (waits > this.#options.maxWaitMs) throw overloaded(waits - this.#options.maxWaitMs);
    const line = this.#waiting.get(waiting.keyId) ?? [];
    line.push(waiting);
    this.#waiting.set(waiting.keyId, line);
    this.#queued += 1;
    this.#queuedBytes += waiting.bytes;
  }

  /** In a full queue the key that has the most in it gives way to one that has less. */
  #makeRoom(newcomer: Waiting): void {
    while (
      this.#queued >= this.#options.maxQueued ||
      this.#queuedBytes + newcomer.bytes > this.#options.maxQueuedBytes
    ) {
      const [longest = []] = [...this.#waiting.values()].sort((a, b) => b.length - a.length);
      const own = this.#waiting.get(newcomer.keyId)?.length ?? 0;
      const last = longest.at(-1);
      if (!last || longest.length <= own + 1) throw overloaded(this.#averageMs.small);
      this.#refuse(last);
    }
  }

  #refuse(waiting: Waiting): void {
    if (!this.#remove(waiting)) return;
    waiting.refuse(overloaded(this.#estimateWaitMs(waiting)));
    this.#settleIdle();
  }

  #remove(waiting: Waiting): boolean {
    const line = this.#waiting.get(waiting.keyId);
    const index = line?.indexOf(waiting) ?? -1;
    if (!line || index < 0) return false;
    line.splice(index, 1);
    if (line.length === 0) this.#waiting.delete(waiting.keyId);
    this.#queued -= 1;
    this.#queuedBytes -= waiting.bytes;
    return true;
  }

  /** When a newcomer's turn would come: its own key's line, and as many of the others' as are served in between. */
  #estimateWaitMs(newcomer: Waiting): number {
    const { slots } = this.#options;
    if (this.busy < slots && this.#queued === 0) return 0;
    const own = this.#waiting.get(newcomer.keyId)?.length ?? 0;
    let ms =
      (this.#busySmallLarge.small * this.#averageMs.small +
        this.#busySmallLarge.large * this.#averageMs.large) /
      2;
    for (const line of this.#waiting.values()) {
      for (const waiting of line.slice(0, own + 1)) ms += this.#averageMs[sizeClass(waiting.bytes)];
    }
    return ms / slots;
  }

  #dispatch(): void {
    while (this.busy < this.#options.slots) {
      const next = this.#findNext();
      if (!next) return;
      this.#remove(next);
      this.#busySmallLarge[sizeClass(next.bytes)] += 1;
      this.#running.set(next.keyId, (this.#running.get(next.keyId) ?? 0) + 1);
      this.#lastServed.set(next.keyId, ++this.#served);
      next.grant();
    }
  }

  #findNext(): Waiting | null {
    const mayBeLarge = this.#busySmallLarge.large < Math.max(1, this.#options.slots - 1);
    let best: Waiting | null = null;
    for (const line of this.#waiting.values()) {
      const candidate = line.find((waiting) => mayBeLarge || sizeClass(waiting.bytes) === 'small');
      if (candidate && (!best || this.#isBefore(candidate.keyId, best.keyId))) best = candidate;
    }
    return best;
  }

  #isBefore(a: string, b: string): boolean {
    const running = (this.#running.get(a) ?? 0) - (this.#running.get(b) ?? 0);
    return running !== 0 ? running < 0 : (this.#lastServed.get(a) ?? 0) < (this.#lastServed.get(b) ?? 0);
  }

  #lease(keyId: string, size: SizeClass): Lease {
    const startedAt = this.#options.now();
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#averageMs[size] += SMOOTHING * (this.#options.now() - startedAt - this.#averageMs[size]);
        this.#busySmallLarge[size] -= 1;
        const running = (this.#running.get(keyId) ?? 1) - 1;
        if (running > 0) this.#running.set(keyId, running);
        else this.#running.delete(keyId);
        if (running === 0 && !this.#waiting.has(keyId) && this.#lastServed.size > 1_000)
          this.#lastServed.clear();
        this.#dispatch();
        this.#settleIdle();
      },
    };
  }

  #settleIdle(): void {
    if (this.busy + this.#queued > 0) return;
    for (const resolve of this.#whenIdle) resolve();
    this.#whenIdle = [];
  }
}

function sizeClass(bytes: number): SizeClass {
  return bytes > LARGE_BYTES ? 'large' : 'small';
}

function overloaded(waitMs: number): ApiError {
  return new ApiError('overloaded', undefined, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
}
