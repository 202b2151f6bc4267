import { continueInTurn } from '#event-loop';
import type { AbortListeners } from '../concurrency/abort-listeners.ts';
import type { Semaphore } from '#concurrency';
import type { AnswerCache } from './answer-cache.ts';
import type { ResolverLimits } from './limits.ts';
import { Lookup, type LookupResult } from './lookup.ts';
import type { NameServer } from './name-server.ts';
import type { DnsAnswer, DnsFailure, DnsType } from './resolver.ts';

/** The parts of a resolver that its lookups share. */
export interface LookupContext {
  servers: NameServer[];
  limits: ResolverLimits;
  cache: AnswerCache;
  semaphore: Semaphore;
  abortListeners: AbortListeners;
  /** The lookups without a result, by key. */
  running: Map<string, SharedLookup>;
}

/**
 * One lookup that any number of callers share (singleflight). Each waits until its own signal aborts; the
 * lookup is canceled when the last caller has aborted.
 */
export class SharedLookup {
  readonly #context: LookupContext;
  readonly #key: string;
  readonly #lookup: Lookup;
  readonly #answer = Promise.withResolvers<DnsAnswer<DnsType>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #release: (() => void) | null = null;
  #callers = 0;
  #isOver = false;

  constructor(context: LookupContext, key: string, name: string, type: DnsType) {
    const { servers, limits } = context;
    this.#context = context;
    this.#key = key;
    this.#lookup = new Lookup({ servers, limits, name, type, done: (result) => this.end(result) });
  }

  /** Starts the lookup when the semaphore has a place. */
  start(): this {
    const { limits, cache, semaphore, running } = this.#context;
    running.set(this.#key, this);
    this.#timers.push(setTimeout(() => this.#fail('timeout'), limits.timeoutMs));
    if (cache.hasStale(this.#key))
      this.#timers.push(setTimeout(() => this.#serveStale(), limits.staleAfterMs));
    let waitTimer: NodeJS.Timeout | undefined;
    let isStarted = false;
    this.#release = semaphore.tryAcquire(() => {
      isStarted = true;
      clearTimeout(waitTimer);
      continueInTurn(() => {
        if (!this.#isOver) this.#lookup.start();
      });
    });
    if (!this.#release) this.#fail('overloaded');
    else if (!isStarted)
      this.#timers.push((waitTimer = setTimeout(() => this.#fail('overloaded'), limits.maxWaitMs)));
    return this;
  }

  /**
   * Waits for the answer. Rejects with the signal's reason. A renewal in the background waits without a
   * signal, so that it is never canceled.
   */
  wait(signal: AbortSignal | undefined): Promise<DnsAnswer<DnsType>> {
    this.#callers += 1;
    const { promise } = this.#answer;
    if (!signal) return promise;
    return new Promise((resolve, reject) => {
      const removeListener = this.#context.abortListeners.add(signal, () => {
        this.#callers -= 1;
        if (this.#callers === 0) this.end(null);
        reject(signal.reason as Error);
      });
      const onAnswer = (answer: DnsAnswer<DnsType>): void => {
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
    this.#lookup.cancel();
    this.#release?.();
    const { running, cache } = this.#context;
    running.delete(this.#key);
    if (result === null) return;
    const answer = cache.store(this.#key, result);
    continueInTurn(() => this.#answer.resolve(answer));
  }

  #fail(reason: DnsFailure): void {
    this.end({ outcome: 'failure', reason });
  }

  #serveStale(): void {
    const stale = this.#context.cache.serveStale(this.#key);
    if (stale) this.#answer.resolve(stale);
  }
}
