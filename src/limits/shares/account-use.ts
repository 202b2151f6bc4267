import type { OnReclaim } from './shares.ts';

/** The decay of past use: after this time, 37% of it is left. */
const USE_DECAY_MS = 60_000;
/** The weight of the last hold time in the average, and the initial average. */
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

/** A queued request for one place. */
export interface Waiter {
  readonly account: AccountUse;
  grant: () => void;
  refuse: (error: Error) => void;
}

/** The places that one account holds in a pool, waits for, and has used recently. */
export class AccountUse {
  readonly accountId: string;
  /** Its part of the capacity, relative to the weights of other accounts. */
  weight: number;
  /** The most that it may hold. */
  limit = 0;
  held = 0;
  /** Oldest first. */
  readonly waiting = new Set<Waiter>();
  /** Its holdings that can be reclaimed, oldest first. */
  readonly reclaimable = new Set<Holding>();
  /** The serial number of its last grant. Ties go to the account that was served longest ago. */
  servedAt = 0;
  averageHoldMs = FIRST_HOLD_MS;
  #usedMs = 0;
  #usedAtMs = 0;
  /** The sum of the start times of its running grants, from which their use is computed. */
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
   * Computes the place-milliseconds of about the last minute, running grants included, relative to the
   * weight.
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

  /** True if the account is idle and its past use has decayed. */
  canBeForgotten(nowMs: number): boolean {
    return !this.isActive && nowMs - this.#usedAtMs > 2 * USE_DECAY_MS;
  }

  #decay(nowMs: number): number {
    return this.#usedMs * Math.exp(-Math.max(0, nowMs - this.#usedAtMs) / USE_DECAY_MS);
  }
}
