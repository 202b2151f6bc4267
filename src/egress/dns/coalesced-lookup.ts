import { continueInTurn } from '#event-loop';
import type { AbortListeners } from '../concurrency/abort-listeners.ts';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { LookupResult } from './lookup.ts';
import type { DnsAnswer, DnsFailure, DnsType } from './resolver.ts';

export type Answer = DnsAnswer<DnsType>;

export interface CoalescedLookupOptions {
  semaphore: Semaphore;
  abortListeners: AbortListeners;
  timeoutMs: number;
  /** Longest wait for a place of the semaphore. */
  maxWaitMs: number;
  staleAfterMs: number;
  /** Starts the lookup. Returns the function that cancels it. */
  startLookup(done: (result: LookupResult) => void): () => void;
  /** Returns an expired answer to serve while the lookup takes long; null if there is none. */
  findStale: (() => Answer | null) | null;
  /**
   * Called once, before callers get their answer. Returns that answer; `result` is null if the lookup was
   * canceled.
   */
  onEnd(result: LookupResult | null): Answer | null;
}

/**
 * One lookup that any number of callers share (singleflight). Each waits until its own signal aborts; the
 * lookup is canceled when the last caller has aborted.
 */
export class CoalescedLookup {
  readonly #answer = Promise.withResolvers<Answer>();
  readonly #options: CoalescedLookupOptions;
  readonly #timers: NodeJS.Timeout[];
  readonly #release: (() => void) | null;
  #cancel: (() => void) | null = null;
  /** Runs while the lookup waits for its place. */
  #waitTimer: NodeJS.Timeout | undefined;
  #callers = 0;
  #isOver = false;
  /** Renews a cached answer, so it continues without callers. */
  readonly #isBackground: boolean;

  constructor(options: CoalescedLookupOptions, isBackground: boolean) {
    this.#options = options;
    this.#isBackground = isBackground;
    this.#timers = [setTimeout(() => this.#fail('timeout'), options.timeoutMs)];
    if (options.findStale) this.#timers.push(setTimeout(() => this.#serveStale(), options.staleAfterMs));
    let isStarted = false;
    this.#release = options.semaphore.tryAcquire(() => {
      isStarted = true;
      clearTimeout(this.#waitTimer);
      continueInTurn(() => this.#start());
    });
    if (!this.#release) this.#fail('overloaded');
    else if (!isStarted) this.#waitTimer = setTimeout(() => this.#fail('overloaded'), options.maxWaitMs);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits for the answer. Rejects with the signal's reason. */
  wait(signal: AbortSignal | undefined): Promise<Answer> {
    this.#callers += 1;
    const { promise } = this.#answer;
    if (!signal) return promise;
    return new Promise((resolve, reject) => {
      const removeListener = this.#options.abortListeners.add(signal, () => {
        this.#callers -= 1;
        if (this.#callers === 0 && !this.#isBackground) this.end(null);
        reject(signal.reason as Error);
      });
      const onAnswer = (answer: Answer): void => {
        removeListener();
        resolve(answer);
      };
      void promise.then(onAnswer);
    });
  }

  /** Ends the lookup with this result; null cancels it without an answer. */
  end(result: LookupResult | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    clearTimeout(this.#waitTimer);
    this.#cancel?.();
    this.#release?.();
    const answer = this.#options.onEnd(result);
    if (answer) continueInTurn(() => this.#answer.resolve(answer));
  }

  #start(): void {
    if (!this.#isOver) this.#cancel = this.#options.startLookup((result) => this.end(result));
  }

  #fail(reason: DnsFailure): void {
    this.end({ outcome: 'failure', reason });
  }

  #serveStale(): void {
    const stale = this.#options.findStale?.();
    if (!stale) return;
    this.#answer.resolve(stale);
  }
}
