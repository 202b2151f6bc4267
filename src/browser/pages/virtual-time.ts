import type { Protocol } from 'devtools-protocol';
import { resolvesWithin } from '#concurrency';
import { type LossReason, PageLostError } from '../browser-errors.ts';
import type { CdpMethod, CdpParams } from '../cdp/cdp-connection.ts';

/**
 * Tasks that may run at one instant before time is forced forward: a document that posts messages to itself
 * without end would stop the clock.
 */
const MAX_TASKS_PER_INSTANT = 500;
/** Real time after which a clock that stands still is examined. */
const STALL_MS = 1_000;
/** Keeps rounding from showing the millisecond before. */
const FRACTION_MS = 0.25;
/** A navigation needs time to pass, but not how much. */
const NAVIGATION_STEP_MS = 10;

/** The page that a clock belongs to. */
interface TimedPage {
  readonly lossReason: LossReason | null;
  /** Rejects when the page is lost; never resolves. */
  readonly whenLost: Promise<never>;
  send(
    method: 'Emulation.setVirtualTimePolicy',
    params: Protocol.Emulation.SetVirtualTimePolicyRequest,
  ): Promise<Protocol.Emulation.SetVirtualTimePolicyResponse>;
  sendAndForget<M extends CdpMethod>(method: M, params?: CdpParams<M>): void;
}

/** The limits of a wait for the clock. */
export interface AdvanceLimits {
  /** Returns the milliseconds of real time that are left. */
  getLimitMs: () => number;
  /** Checks whether something that the clock should wait for is in progress: requests, busy workers. */
  isBusy: () => Promise<boolean>;
}

/**
 * The clock of a renderer (CDP: Emulation.setVirtualTimePolicy). Timers, animations and `Date` of its
 * documents follow it. Once started, it stands still except in `advance`, which skips the time in which
 * nothing happens, and it waits for requests.
 *
 * A renderer has one clock for all of its documents: it can be set once, and never back.
 */
export class VirtualTime {
  readonly #page: TimedPage;
  /** Lets no time pass while requests are in flight. */
  awaitsRequests = true;
  /** The time that it shows, in milliseconds since 1970; null while it follows real time. */
  #epochMs: number | null = null;
  /** `#epochMs` plus this is the same instant in the browser's ticks; null until the browser has said it. */
  #ticksOffsetMs: number | null = null;
  /** The instant of the last frame, in ticks. */
  #frameTicks = 0;
  /** Budgets that were granted and have not expired. They cannot be taken back. */
  #granted = 0;
  #onExpired: () => void = () => {};

  constructor(page: TimedPage) {
    this.#page = page;
  }

  /** True if a budget is left, which would end the first one of another document early. */
  get hasUnspentBudget(): boolean {
    return this.#granted > 0;
  }

  /** Returns the milliseconds by which the clock is ahead of `epochMs`. */
  getLeadMs(epochMs: number): number {
    return this.#epochMs === null ? 0 : this.#epochMs - epochMs;
  }

  /**
   * Stops the clock at this time, in milliseconds since 1970. Returns the milliseconds to add to the time
   * that it shows: below 0 if an earlier document has advanced it further.
   */
  async start(epochMs: number, limits: AdvanceLimits): Promise<number> {
    this.awaitsRequests = true;
    if (this.#epochMs !== null) {
      if (epochMs > this.#epochMs) await this.advance(epochMs - this.#epochMs, limits);
      return epochMs - this.#epochMs;
    }
    this.#epochMs = epochMs;
    const { virtualTimeTicksBase } = await this.#page.send('Emulation.setVirtualTimePolicy', {
      policy: 'pause',
      initialVirtualTime: (epochMs + FRACTION_MS) / 1000,
    });
    this.#ticksOffsetMs = virtualTimeTicksBase - epochMs;
    return 0;
  }

  /**
   * Lets `ms` pass. Returns false, and stops the clock, if the real time is over before: a script is busy, or
   * a request is in flight. If the clock stands still although nothing that it should wait for is in
   * progress, it stops waiting. Throws PageLostError if the page is lost.
   */
  async advance(ms: number, { getLimitMs, isBusy }: AdvanceLimits): Promise<boolean> {
    const expired = new Promise<void>((resolve) => {
      this.#onExpired = resolve;
    });
    this.#grant(ms);
    if (this.#epochMs !== null) this.#epochMs += ms;
    let idleChecks = 0;
    const awaitedRequests = this.awaitsRequests;
    for (let limitMs = getLimitMs(); limitMs > 0; limitMs = getLimitMs()) {
      const outcome = Promise.race([expired, this.#page.whenLost]);
      if (await resolvesWithin(outcome, Math.min(STALL_MS, limitMs))) return true;
      if (this.#page.lossReason !== null) throw new PageLostError(this.#page.lossReason);
      idleChecks = (await isBusy()) ? 0 : idleChecks + 1;
      if (idleChecks >= 2) this.awaitsRequests = false;
      if (idleChecks >= 2 || this.awaitsRequests !== awaitedRequests) this.#grant(ms);
    }
    this.#page.sendAndForget('Emulation.setVirtualTimePolicy', { policy: 'pause' });
    return false;
  }

  /** Lets time pass until `event`, a navigation: a clock that stands still holds it. */
  async advanceUntil(event: Promise<unknown>): Promise<void> {
    if (this.#epochMs === null) return;
    const waiting = { isOver: false };
    const end = (): void => {
      waiting.isOver = true;
    };
    event.then(end, end);
    const getLimitMs = (): number => (waiting.isOver ? 0 : STALL_MS);
    const limits = { getLimitMs, isBusy: () => Promise.resolve(true) };
    while (!waiting.isOver) await this.advance(NAVIGATION_STEP_MS, limits);
  }

  /**
   * Returns the instant of the next frame, in milliseconds of the browser's ticks; null while the clock
   * follows real time. The browser would never answer a frame that is not later than the one before.
   */
  takeFrameTicks(): number | null {
    if (this.#epochMs === null || this.#ticksOffsetMs === null) return null;
    this.#frameTicks = Math.max(this.#epochMs + this.#ticksOffsetMs, this.#frameTicks + 1);
    return this.#frameTicks;
  }

  /** Called by the page when a granted budget has passed. */
  expire(): void {
    this.#granted -= 1;
    this.#onExpired();
  }

  #grant(ms: number): void {
    this.#granted += 1;
    this.#page.sendAndForget('Emulation.setVirtualTimePolicy', {
      policy: this.awaitsRequests ? 'pauseIfNetworkFetchesPending' : 'advance',
      budget: ms,
      maxVirtualTimeTaskStarvationCount: MAX_TASKS_PER_INSTANT,
    });
  }
}
