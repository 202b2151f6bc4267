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
  /** Oldest first. A group has those of its members. */
  readonly waiting = new Set<Waiter>();
  /** Its holdings that can be reclaimed, oldest first; those of members are with their group. */
  readonly reclaimable = new Set<Holding>();
  /** The serial number of its last grant. Ties go to the account that was served longest ago. */
  servedAt = 0;
  averageHoldMs = FIRST_HOLD_MS;
  #usedMs = 0;
  #usedAtMs = 0;
  /** The sum of the start times of its running grants, from which their use is computed. */
  #startsMs = 0;
  #running = 0;

  /** The accounts that share one weight, together: what they hold and use. An account alone is its own. */
  readonly group: AccountUse;

  constructor(accountId: string, weight: number, group?: AccountUse) {
    this.accountId = accountId;
    this.weight = weight;
    this.group = group ?? this;
  }

  get isActive(): boolean {
    return this.held > 0 || this.waiting.size > 0;
  }

  /**
   * Computes the use of about the last minute, in place-milliseconds or as measured, running grants included,
   * relative to the weight.
   */
  computeUse(nowMs: number): number {
    const running = this.#running * nowMs - this.#startsMs;
    return (this.#decay(nowMs) + running) / this.weight;
  }

  /** Estimates how long one more request waits for the account's own requests, with this many places. */
  estimateOwnWaitMs(places: number): number {
    return (this.averageHoldMs * (this.waiting.size + 1)) / Math.max(1, Math.floor(places));
  }

  addHeld(amount: number): void {
    this.held += amount;
    if (this.group !== this) this.group.addHeld(amount);
  }

  recordStart(nowMs: number): void {
    if (this.group !== this) this.group.recordStart(nowMs);
    this.#running += 1;
    this.#startsMs += nowMs;
  }

  recordEnd(startedAtMs: number, nowMs: number, usedMs?: number): void {
    if (this.group !== this) this.group.recordEnd(startedAtMs, nowMs, usedMs);
    const heldMs = Math.max(0, nowMs - startedAtMs);
    this.#running -= 1;
    this.#startsMs -= startedAtMs;
    this.#usedMs = this.#decay(nowMs) + (usedMs ?? heldMs);
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

/** An account that requests places of a pool. */
export interface PoolHolder {
  accountId: string;
  /** Its part of the capacity, relative to the weights of other accounts. */
  weight: number;
  /** The maximum that it may hold. */
  limit: number;
  /** The name of the accounts that share this weight with it. */
  group?: string | undefined;
}

/** Above this number, idle accounts are forgotten. */
const MAX_ACCOUNTS = 10_000;

/** The accounts of one pool: what each holds, and what its fair share is. */
export class PoolAccounts {
  readonly capacity: number;
  readonly reserve: number;
  readonly #accounts = new Map<string, AccountUse>();
  readonly #groups = new Map<string, AccountUse>();
  /** Accounts and groups that hold or wait for places; no members of groups. */
  readonly #active = new Set<AccountUse>();
  #activeWeight = 0;
  #held = 0;

  constructor(capacity: number, reserve: number) {
    this.capacity = capacity;
    // A pool of one place keeps none free.
    this.reserve = capacity > reserve ? reserve : 0;
  }

  get held(): number {
    return this.#held;
  }

  get active(): Iterable<AccountUse> {
    return this.#active;
  }

  getHeld(accountId: string): number {
    return this.#accounts.get(accountId)?.held ?? 0;
  }

  /** Returns the record of an account, with its current weight and limit; creates it if there is none. */
  getAccount({ accountId, weight, limit, group }: PoolHolder, nowMs: number): AccountUse {
    let account = this.#accounts.get(accountId);
    if (account === undefined) {
      if (this.#accounts.size >= MAX_ACCOUNTS) this.#forgetIdle(nowMs);
      account = new AccountUse(accountId, weight, group === undefined ? undefined : this.#getGroup(group));
      this.#accounts.set(accountId, account);
    }
    for (const weighted of new Set([account, account.group])) this.#setWeight(weighted, weight);
    // One place is allowed even if no second one fits beside it.
    account.limit = Math.min(limit, Math.max(this.capacity - this.reserve, this.reserve));
    return account;
  }

  #getGroup(name: string): AccountUse {
    const group = this.#groups.get(name) ?? new AccountUse(name, 0);
    this.#groups.set(name, group);
    return group;
  }

  #setWeight(account: AccountUse, weight: number): void {
    if (this.#active.has(account)) this.#activeWeight += weight - account.weight;
    account.weight = weight;
  }

  /** Adds `amount` to what an account holds. */
  addHeld(account: AccountUse, amount: number): void {
    this.#held += amount;
    this.changeActivity(account, () => account.addHeld(amount));
  }

  /** Applies a change, and updates the active accounts if it makes this one or its group active or idle. */
  changeActivity({ group: account }: AccountUse, change: () => void): void {
    const wasActive = account.isActive;
    change();
    if (account.isActive === wasActive) return;
    if (wasActive) this.#active.delete(account);
    else this.#active.add(account);
    this.#activeWeight += wasActive ? -account.weight : account.weight;
  }

  /**
   * Computes the account's part of the capacity, less the reserve, among the active accounts and `newcomer`;
   * at least one place.
   */
  computeShare(account: AccountUse, newcomer = account): number {
    const part = ((this.capacity - this.reserve) * account.group.weight) / this.#sumWeights(newcomer);
    return Math.max(this.reserve, 1, part);
  }

  /** Computes the account's part of the whole capacity by weight, which may be less than one place. */
  computeEqualPart(account: AccountUse, newcomer = account): number {
    return (this.capacity * account.group.weight) / this.#sumWeights(newcomer);
  }

  #sumWeights({ group }: AccountUse): number {
    return this.#activeWeight + (group.isActive ? 0 : group.weight);
  }

  isWithinShare(account: AccountUse, amount: number): boolean {
    return (
      account.held + amount <= account.limit && account.group.held + amount <= this.computeShare(account)
    );
  }

  /** True if `amount` is free for the account. Only accounts with less than one place may use the reserve. */
  hasRoom(account: AccountUse, amount: number): boolean {
    const mayUseReserve = account.group.held + amount <= this.reserve;
    return this.#held + amount <= this.capacity - (mayUseReserve ? 0 : this.reserve);
  }

  /**
   * Returns the oldest holding, lent before `untilMs`, to reclaim for `needy`; null if there is none. Within
   * its share, that of a borrower; else that of the member of its group that holds the most, if the two hold
   * equal parts at best afterwards.
   */
  findReclaimable(needy: AccountUse, amount: number, untilMs: number): Holding | null {
    if (this.isWithinShare(needy, amount)) {
      const [oldest] = this.findBorrower(needy, amount, untilMs)?.reclaimable ?? [];
      return oldest ?? null;
    }
    let found: Holding | null = null;
    // Others may use the reserve: places that would not make room stay with their holder.
    const least = needy.held + 2 * amount + Math.max(0, this.#held + this.reserve - this.capacity);
    for (const holding of needy.held + amount > needy.limit ? [] : needy.group.reclaimable) {
      if (holding.startedAtMs > untilMs) break;
      if (holding.account.held >= Math.max(least, (found?.account.held ?? 0) + 1)) found = holding;
    }
    return found;
  }

  /**
   * Returns the account or group that exceeds its share most, and whose oldest place was lent before
   * `untilMs` and can be reclaimed for `needy`; null if there is none. If `needy` requests no more than its
   * equal part, all that others hold beyond their equal parts counts as lent: with large places, shares of
   * at least one place can add up to more than the capacity.
   */
  findBorrower(needy: AccountUse, amount: number, untilMs = Infinity): AccountUse | null {
    const isModest = needy.group.held + amount <= this.computeEqualPart(needy);
    let borrower: AccountUse | null = null;
    for (const account of this.#active) {
      const [oldest] = account.reclaimable;
      if (account === needy.group || oldest === undefined || oldest.startedAtMs > untilMs) continue;
      const share = this.computeShare(account, needy);
      const own = isModest ? Math.min(share, this.computeEqualPart(account, needy)) : share;
      if (account.held <= Math.max(1, own)) continue;
      if (!borrower || account.held / account.weight > borrower.held / borrower.weight) borrower = account;
    }
    return borrower;
  }

  #forgetIdle(nowMs: number): void {
    for (const [id, account] of this.#accounts) if (account.canBeForgotten(nowMs)) this.#accounts.delete(id);
  }
}
