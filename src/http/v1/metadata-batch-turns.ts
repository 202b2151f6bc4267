/** The order in which the URLs of one batch are fetched and answered. */

export interface TurnLimits {
  /** Answers in progress at a time. */
  inProgress: number;
  /** Answers of one host in progress at a time. */
  perHost: number;
  /** No answer is begun while completed ones of more bytes wait for a slow reader, unless it is the next. */
  waitingBytes: number;
}

export interface TurnOptions<T> {
  /** The host that each item needs; null for none. */
  hosts: readonly (string | null)[];
  /** Answers one item. A rejection ends the batch. */
  answer: (index: number, signal: AbortSignal) => Promise<T>;
  /** Returns the bytes that an answer holds while it waits for the reader. */
  measure: (answer: T) => number;
  isOrdered: boolean;
  /** Aborts all answers in progress. */
  signal: AbortSignal;
  limits?: Partial<TurnLimits>;
}

export interface IndexedAnswer<T> {
  index: number;
  answer: T;
}

/** Fewer connections than a browser opens to one host, and few of the account's share of all. */
const LIMITS: TurnLimits = { inProgress: 10, perHost: 2, waitingBytes: 1024 * 1024 };

/**
 * Yields the answer of each item: in the order of the items, or as they complete. If the loop ends early,
 * the answers in progress are aborted.
 */
export async function* answerInTurn<T>(
  options: TurnOptions<T>,
): AsyncGenerator<IndexedAnswer<T>, void, undefined> {
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const turns = new BatchTurns({ ...options, signal });
  try {
    for (let count = 0; count < options.hosts.length; count += 1) yield await turns.awaitNext();
  } finally {
    ended.abort();
  }
}

class BatchTurns<T> {
  readonly #options: TurnOptions<T>;
  readonly #limits: TurnLimits;
  /** The items that have not begun, in order. */
  readonly #queued: Set<number>;
  /** The answers that wait for the reader, in the order of their completion. */
  readonly #completed = new Map<number, T>();
  readonly #inProgressByHost = new Map<string, number>();
  #inProgress = 0;
  #waitingBytes = 0;
  /** The item whose answer is delivered next, if the batch is ordered. */
  #next = 0;
  #failure: { error: unknown } | null = null;
  #wake: () => void = () => {};

  constructor(options: TurnOptions<T>) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#queued = new Set(options.hosts.keys());
  }

  /** Waits for the next answer, and removes it from those that wait. */
  async awaitNext(): Promise<IndexedAnswer<T>> {
    this.#beginMore();
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error;
      const index = this.#options.isOrdered ? this.#next : this.#completed.keys().next().value;
      if (index !== undefined && this.#completed.has(index)) return this.#deliver(index);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #deliver(index: number): IndexedAnswer<T> {
    const answer = this.#completed.get(index) as T;
    this.#completed.delete(index);
    this.#waitingBytes -= this.#options.measure(answer);
    this.#next += 1;
    return { index, answer };
  }

  #beginMore(): void {
    for (const index of this.#queued) {
      if (this.#inProgress >= this.#limits.inProgress) return;
      if (this.#mayBegin(index)) void this.#begin(index);
    }
  }

  #mayBegin(index: number): boolean {
    const host = this.#options.hosts[index] ?? null;
    if (host !== null && (this.#inProgressByHost.get(host) ?? 0) >= this.#limits.perHost) return false;
    // Without the next answer, an ordered batch could wait for it forever.
    const isNext = this.#options.isOrdered && index === this.#next;
    return isNext || this.#waitingBytes <= this.#limits.waitingBytes;
  }

  async #begin(index: number): Promise<void> {
    const { hosts, answer, measure, signal } = this.#options;
    const host = hosts[index] ?? null;
    this.#queued.delete(index);
    this.#changeInProgress(host, 1);
    try {
      signal.throwIfAborted();
      const completed = await answer(index, signal);
      this.#completed.set(index, completed);
      this.#waitingBytes += measure(completed);
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#changeInProgress(host, -1);
    this.#wake();
    if (this.#failure === null) this.#beginMore();
  }

  #changeInProgress(host: string | null, change: 1 | -1): void {
    this.#inProgress += change;
    if (host === null) return;
    const inProgress = (this.#inProgressByHost.get(host) ?? 0) + change;
    if (inProgress === 0) this.#inProgressByHost.delete(host);
    else this.#inProgressByHost.set(host, inProgress);
  }
}
