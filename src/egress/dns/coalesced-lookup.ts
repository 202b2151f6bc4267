import { continueInTurn } from '#event-loop';
import { onAbort } from '../concurrency/abort-listeners.ts';
import type { LookupResult } from './lookup.ts';
import type { DnsAnswer, DnsFailure, DnsType } from './resolver.ts';
import type { Turns } from '../concurrency/semaphore.ts';

export type Answer = DnsAnswer<DnsType>;

/** What a flight needs of its owner. */
export interface FlightPlan {
  turns: Turns;
  timeoutMs: number;
  maxWaitMs: number;
  staleAfterMs: number;
  /** Starts the look-up; gives a function that gives up. */
  lookUp(done: (result: LookupResult) => void): () => void;
  /** An expired answer to serve while the look-up takes its time; null where there is none. */
  findStale: (() => Answer | null) | null;
  /** Called once, when nobody needs to join any more. Says what the callers get; a null result was given up. */
  onEnd(result: LookupResult | null): Answer | null;
}

/** One look-up that any number of callers wait for, each until its own signal. Given up when the last of them is gone. */
export class Flight {
  readonly #answer = Promise.withResolvers<Answer>();
  readonly #plan: FlightPlan;
  readonly #timers: NodeJS.Timeout[];
  readonly #endTurn: (() => void) | null;
  #giveUp: (() => void) | null = null;
  /** Runs while the turn has not come. */
  #waiting: NodeJS.Timeout | undefined;
  #waiters = 0;
  #isOver = false;
  /** It goes on for the cache's sake, whoever leaves. */
  readonly #isBackground: boolean;

  constructor(plan: FlightPlan, isBackground: boolean) {
    this.#plan = plan;
    this.#isBackground = isBackground;
    this.#timers = [setTimeout(() => this.#fail('timeout'), plan.timeoutMs)];
    if (plan.findStale) this.#timers.push(setTimeout(() => this.#serveStale(), plan.staleAfterMs));
    let isStarted = false;
    this.#endTurn = plan.turns.take(() => {
      isStarted = true;
      clearTimeout(this.#waiting);
      continueInTurn(() => this.#start());
    });
    if (!this.#endTurn) this.#fail('overloaded');
    else if (!isStarted) this.#waiting = setTimeout(() => this.#fail('overloaded'), plan.maxWaitMs);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  wait(signal: AbortSignal | undefined): Promise<Answer> {
    this.#waiters += 1;
    const { promise } = this.#answer;
    if (!signal) return promise;
    return new Promise((resolve, reject) => {
      const forget = onAbort(signal, () => {
        this.#waiters -= 1;
        if (this.#waiters === 0 && !this.#isBackground) this.end(null);
        reject(signal.reason as Error);
      });
      const onAnswer = (answer: Answer): void => {
        forget();
        resolve(answer);
      };
      void promise.then(onAnswer);
    });
  }

  end(result: LookupResult | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    clearTimeout(this.#waiting);
    this.#giveUp?.();
    this.#endTurn?.();
    const answer = this.#plan.onEnd(result);
    if (answer) continueInTurn(() => this.#answer.resolve(answer));
  }

  #start(): void {
    if (!this.#isOver) this.#giveUp = this.#plan.lookUp((result) => this.end(result));
  }

  #fail(reason: DnsFailure): void {
    this.end({ outcome: 'failure', reason });
  }

  #serveStale(): void {
    const stale = this.#plan.findStale?.();
    if (!stale) return;
    this.#answer.resolve(stale);
  }
}
