/** The order in which the URLs of one batch are fetched and answered. */

export interface TurnLimits {
  /** Answers in progress at once. */
  inProgress: number;
  /** Answers of one host in progress at once. */
  perHost: number;
  /** No answer is begun while completed ones of more bytes wait for a slow reader, unless it is the next. */
  untakenBytes: number;
}

export interface TurnOptions<T> {
  /** The host that each item needs; null for none. */
  hosts: readonly (string | null)[];
  /** Answers one item. A rejection ends the batch. */
  answer: (index: number, signal: AbortSignal) => Promise<T>;
  /** Returns the bytes that an answer takes while it waits for the reader. */
  measure: (answer: T) => number;
  isOrdered: boolean;
  /** Aborts all answers in progress. */
  signal: AbortSignal;
  limits?: Partial<TurnLimits>;
}

export interface TakenAnswer<T> {
  index: number;
  answer: T;
}

/** Fewer connections than a browser opens to one host, and few of the account's share of all. */
const LIMITS: TurnLimits = { inProgress: 10, perHost: 2, untakenBytes: 1024 * 1024 };

/**
 * Yields the answer of each item: in the order of the items, or as they complete. Leaving the loop early
 * aborts the answers in progress.
 */
export async function* answerInTurn<T>(
  options: TurnOptions<T>,
): AsyncGenerator<TakenAnswer<T>, void, undefined> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([options.signal, leaving.signal]);
  const turns = new BatchTurns({ ...options, signal });
  try {
    for (let taken = 0; taken < options.hosts.length; taken += 1) yield await turns.takeNext();
  } finally {
    leaving.abort();
  }
}

class BatchTurns<T> {
  readonly #options: TurnOptions<T>;
  readonly #limits: TurnLimits;
  /** The items that have not begun, in order. */
  readonly #waiting: Set<number>;
  /** The answers that were not taken, in the order of their completion. */
  readonly #completed = new Map<number, T>();
  readonly #inProgressByHost = new Map<string, number>();
  #inProgress = 0;
  #untakenBytes = 0;
  /** The item whose answer is taken next, if the batch is ordered. */
  #next = 0;
  #failure: { error: unknown } | null = null;
  #wake: () => void = () => {};

  constructor(options: TurnOptions<T>) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#waiting = new Set(options.hosts.keys());
  }

  /** Takes the next answer when it is complete. */
  async takeNext(): Promise<TakenAnswer<T>> {
    this.#beginMore();
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error;
      const index = this.#options.isOrdered ? this.#next : this.#completed.keys().next().value;
      if (index !== undefined && this.#completed.has(index)) return this.#take(index);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take(index: number): TakenAnswer<T> {
    const answer = this.#completed.get(index) as T;
    this.#completed.delete(index);
    this.#untakenBytes -= this.#options.measure(answer);
    this.#next += 1;
    return { index, answer };
  }

  #beginMore(): void {
    for (const index of this.#waiting) {
      if (this.#inProgress >= this.#limits.inProgress) return;
      if (this.#mayBegin(index)) void this.#begin(index);
    }
  }

  #mayBegin(index: number): boolean {
    const host = this.#options.hosts[index] ?? null;
    if (host !== null && (this.#inProgressByHost.get(host) ?? 0) >= this.#limits.perHost) return false;
    // Without the next answer, an ordered batch could wait for it forever.
    const isNext = this.#options.isOrdered && index === this.#next;
    return isNext || this.#untakenBytes <= this.#limits.untakenBytes;
  }

  async #begin(index: number): Promise<void> {
    const { hosts, answer, measure, signal } = this.#options;
    const host = hosts[index] ?? null;
    this.#waiting.delete(index);
    this.#changeInProgress(host, 1);
    try {
      signal.throwIfAborted();
      const completed = await answer(index, signal);
      this.#completed.set(index, completed);
      this.#untakenBytes += measure(completed);
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
