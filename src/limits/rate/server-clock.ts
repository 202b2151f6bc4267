import { WINDOW_MS } from './window-counter.ts';

/** A bound is not replaced by a wider one for this long; the clocks drift by less than 1 ms meanwhile. */
const KEEP_MS = 5_000;

/**
 * Estimates the clock of a server from its replies, as a range: the server read its clock after a call was
 * sent and before the reply was received. Uses only a monotonic clock of this process, so that the time of
 * day of this machine does not matter.
 */
export class ServerClock {
  readonly #now: () => number;
  readonly #startedAtMs: number;
  /** The offset of the server's clock from ours is in this range. */
  #lowest = 0;
  #highest = 0;
  #observedAtMs = -Infinity;

  /** `now` returns monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#startedAtMs = now();
  }

  /** The time since this replica started, in milliseconds. */
  get ageMs(): number {
    return this.#now() - this.#startedAtMs;
  }

  /** Returns whether the server's clock has been observed. */
  get isKnown(): boolean {
    return this.#observedAtMs !== -Infinity;
  }

  /** Returns monotonic milliseconds, for `observe`. */
  now(): number {
    return this.#now();
  }

  /** Records that a reply to the call sent at `sentAtMs` contained the whole milliseconds `serverMs`. */
  observe(serverMs: number, sentAtMs: number): void {
    const nowMs = this.#now();
    const [lowest, highest] = [serverMs - nowMs, serverMs + 1 - sentAtMs];
    const isOld = nowMs - this.#observedAtMs > KEEP_MS;
    const wasStepped = lowest > this.#highest || highest < this.#lowest;
    if (!isOld && !wasStepped && highest - lowest > this.#highest - this.#lowest) return;
    [this.#lowest, this.#highest, this.#observedAtMs] = [lowest, highest, nowMs];
  }

  /** Returns the latest time that the server's clock can show now, in Unix milliseconds. */
  latestMs(): number {
    return this.#now() + this.#highest;
  }

  /** Returns the earliest time that the server's clock can show now, in Unix milliseconds. */
  earliestMs(): number {
    return this.#now() + this.#lowest;
  }
}

/** Returns the earliest window that the server can be in; -1 if it is not known. */
export function computeEarliestWindow(clock: ServerClock): number {
  return clock.isKnown ? Math.floor(clock.earliestMs() / WINDOW_MS) : -1;
}

/** Returns the latest window that the server can be in, in minutes since the epoch; -1 if it is not known. */
export function computeLatestWindow(clock: ServerClock): number {
  return clock.isKnown ? Math.floor(clock.latestMs() / WINDOW_MS) : -1;
}
