import type { Protocol } from 'devtools-protocol';
import type { CdpMethod, CdpParams } from '../cdp/cdp-connection.ts';

/**
 * Tasks that may run at one instant before time is forced forward: a document that posts messages to itself
 * without end would stop the clock.
 */
const MAX_TASKS_PER_INSTANT = 500;
/** Keeps rounding from showing the millisecond before. */
const FRACTION_MS = 0.25;
/** A navigation needs time to pass, but not how much. */
const NAVIGATION_STEP_MS = 10;

/** The page that a clock belongs to. */
interface TimedPage {
  /** Rejects when the page is lost; never resolves. */
  readonly whenLost: Promise<never>;
  send(
    method: 'Emulation.setVirtualTimePolicy',
    params: Protocol.Emulation.SetVirtualTimePolicyRequest,
  ): Promise<Protocol.Emulation.SetVirtualTimePolicyResponse>;
  sendAndForget<M extends CdpMethod>(method: M, params?: CdpParams<M>): void;
}

/**
 * The clock of a renderer (CDP: Emulation.setVirtualTimePolicy). Timers, animations and `Date` of its
 * documents follow it. Once started, it stands still until a budget of time is granted, of which it skips the
 * time in which nothing happens.
 *
 * A renderer has one clock for all of its documents: it can be set once, and never back.
 */
export class VirtualTime {
  readonly #page: TimedPage;
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
   * Stops the clock at this time, in milliseconds since 1970. Returns the milliseconds by which it is ahead,
   * below 0 if it is behind, because an earlier document has set it.
   */
  async start(epochMs: number): Promise<number> {
    if (this.#epochMs !== null) return this.getLeadMs(epochMs);
    this.#epochMs = epochMs;
    const { virtualTimeTicksBase } = await this.#page.send('Emulation.setVirtualTimePolicy', {
      policy: 'pause',
      initialVirtualTime: (epochMs + FRACTION_MS) / 1000,
    });
    this.#ticksOffsetMs = virtualTimeTicksBase - epochMs;
    return 0;
  }

  /** Lets `ms` pass, as grantAgain does. */
  grant(ms: number, awaitsRequests: boolean): Promise<void> {
    if (this.#epochMs !== null) this.#epochMs += ms;
    return this.grantAgain(ms, awaitsRequests);
  }

  /**
   * Lets `ms` pass in place of the budget before, which did not pass. `awaitsRequests`: no time passes while
   * requests are in flight. Resolves when they have passed; never if the page is lost.
   */
  grantAgain(ms: number, awaitsRequests: boolean): Promise<void> {
    const expired = Promise.withResolvers<void>();
    this.#onExpired = expired.resolve;
    this.#granted += 1;
    this.#page.sendAndForget('Emulation.setVirtualTimePolicy', {
      policy: awaitsRequests ? 'pauseIfNetworkFetchesPending' : 'advance',
      budget: ms,
      maxVirtualTimeTaskStarvationCount: MAX_TASKS_PER_INSTANT,
    });
    return expired.promise;
  }

  /** Stops the clock within a budget. */
  pause(): void {
    this.#page.sendAndForget('Emulation.setVirtualTimePolicy', { policy: 'pause' });
  }

  /** Lets time pass until `event`, a navigation: a clock that stands still holds it. */
  async advanceUntil(event: Promise<unknown>): Promise<void> {
    if (this.#epochMs === null) return;
    const waiting = { isOver: false };
    const end = (): void => {
      waiting.isOver = true;
    };
    event.then(end, end);
    while (!waiting.isOver) await Promise.race([this.grant(NAVIGATION_STEP_MS, true), this.#page.whenLost]);
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
}
