import type { OnReclaim } from './shares.ts';

/** How long past use counts: after this time, a third of it is left. */
const USE_DECAY_MS = 60_000;
/** How fast the average time that a place is held follows the last ones, and its first guess. */
const SMOOTHING = 0.2;
const FIRST_HOLD_MS = 200;

/** Places that one request holds. */
export interface Holding {
  readonly account: AccountUse;
  readonly startedAtMs: number;
  readonly onReclaim: OnReclaim | undefined;
  /** 0 once it has ended. */
  amount: number;
}

/** A request for one place that waits. */
export interface Waiter {
  readonly account: AccountUse;
  grant: () => void;
  refuse: (error: Error) => void;
}

/** What one account holds of a pool, waits for, and has used lately. */
export class AccountUse {
  readonly accountId: string;
  /** Its part of the capacity, relative to other accounts. */
  weight: number;
  /** The most that it may hold. */
  limit = 0;
  held = 0;
  /** Oldest first. */
  readonly waiting = new Set<Waiter>();
  /** What can be reclaimed from it, oldest first. */
  readonly reclaimable = new Set<Holding>();
  /** A serial number of its last grant: ties go to the account that was served longest ago. */
  servedAt = 0;
  averageHoldMs = FIRST_HOLD_MS;
  #usedMs = 0;
  #usedAtMs = 0;
  /** The sum of the start times of its grants, to derive how long they have been running. */
  #startsMs = 0;
  #running = 0;

  constructor(accountId: string, weight: number) {
    this.accountId = accountId;
    this.weight = weight;
  }

  get isActive(): boolean {
    return this.held > 0 || this.waiting.size > 0;
  }

  /**
   * Place-milliseconds of about the last minute, those of running grants included, relative to the weight.
   */
  computeUse(nowMs: number): number {
    const running = this.#running * nowMs - this.#startsMs;
    return (this.#decay(nowMs) + running) / this.weight;
  }

  recordStart(nowMs: number): void {
    this.#running += 1;
    this.#startsMs += nowMs;
  }

  recordEnd(startedAtMs: number, nowMs: number): void {
    const heldMs = Math.max(0, nowMs - startedAtMs);
    this.#running -= 1;
    this.#startsMs -= startedAtMs;
    this.#usedMs = this.#decay(nowMs) + heldMs;
    this.#usedAtMs = nowMs;
    this.averageHoldMs += SMOOTHING * (heldMs - this.averageHoldMs);
  }

  /** Whether nothing worth keeping is known of it. */
  isForgettable(nowMs: number): boolean {
    return !this.isActive && nowMs - this.#usedAtMs > 2 * USE_DECAY_MS;
  }

  #decay(nowMs: number): number {
    return this.#usedMs * Math.exp(-Math.max(0, nowMs - this.#usedAtMs) / USE_DECAY_MS);
  }
}
