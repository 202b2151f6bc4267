import { PageLostError } from '../browser-errors.ts';
import type { Page } from '../pages/page.ts';
import { resolvesWithin } from './document-start-script.ts';

/**
 * Tasks that may run at one instant before time is forced forward: a document that posts messages to itself
 * without end would stop the clock.
 */
const MAX_TASKS_PER_INSTANT = 500;
/** Real time after which a clock that stands still is examined. */
const STALL_MS = 1_000;

/** Keeps rounding from showing the millisecond before. */
const FRACTION_MS = 0.25;

/**
 * The clock of a page (CDP: Emulation.setVirtualTimePolicy). Timers, animations and `Date` of the document
 * follow it. It stands still except in `advance`, which skips the time in which nothing happens, and it waits
 * for requests.
 */
export class VirtualTime {
  readonly #page: Page;
  /** Checks whether something that the clock should wait for is in progress: requests, busy workers. */
  readonly #isBusy: () => Promise<boolean>;
  #policy: 'pauseIfNetworkFetchesPending' | 'advance' = 'pauseIfNetworkFetchesPending';

  constructor(page: Page, isBusy: () => Promise<boolean>) {
    this.#page = page;
    this.#isBusy = isBusy;
  }

  /** Stops the clock at this time, in milliseconds since 1970. */
  start(epochMs: number): void {
    this.#page.sendAndForget('Emulation.setVirtualTimePolicy', {
      policy: 'pause',
      initialVirtualTime: (epochMs + FRACTION_MS) / 1000,
    });
  }

  /** Lets time pass also while requests are in flight. */
  ignoreRequests(): void {
    this.#policy = 'advance';
  }

  /** Lets no time pass while requests are in flight. */
  awaitRequests(): void {
    this.#policy = 'pauseIfNetworkFetchesPending';
  }

  /** Stops the clock where it is. */
  stop(): void {
    this.#page.sendAndForget('Emulation.setVirtualTimePolicy', { policy: 'pause' });
  }

  /**
   * Lets `ms` pass. Returns false, and stops the clock, if the real time that `getLimitMs` returns is over
   * before: a script is busy, or a request is in flight.
   *
   * Throws PageLostError if the page is lost.
   *
   * If the clock stands still although nothing that it should wait for is in progress, it stops waiting.
   */
  async advance(ms: number, getLimitMs: () => number): Promise<boolean> {
    const { promise: expired, resolve } = Promise.withResolvers<void>();
    this.#page.onVirtualTimeExpired = resolve;
    this.#grant(ms);
    let idleChecks = 0;
    const granted = this.#policy;
    for (let limitMs = getLimitMs(); limitMs > 0; limitMs = getLimitMs()) {
      const outcome = Promise.race([expired, this.#page.whenLost]);
      if (await resolvesWithin(outcome, Math.min(STALL_MS, limitMs))) return true;
      if (this.#page.lossReason !== null) throw new PageLostError(this.#page.lossReason);
      idleChecks = (await this.#isBusy()) ? 0 : idleChecks + 1;
      if (idleChecks >= 2) this.ignoreRequests();
      if (idleChecks >= 2 || this.#policy !== granted) this.#grant(ms);
    }
    this.stop();
    return false;
  }

  #grant(ms: number): void {
    this.#page.sendAndForget('Emulation.setVirtualTimePolicy', {
      policy: this.#policy,
      budget: ms,
      maxVirtualTimeTaskStarvationCount: MAX_TASKS_PER_INSTANT,
    });
  }
}
