import { AccountUse } from './account-use.ts';

/** An account as a pool sees it. */
export interface PoolHolder {
  accountId: string;
  /** Its part of the capacity, relative to other accounts. */
  weight: number;
  /** The most that it may hold. */
  limit: number;
}

/** Above this number, accounts that hold nothing are forgotten. */
const MAX_ACCOUNTS = 10_000;

/** The accounts of one pool: what each holds, and what its fair share is. */
export class PoolAccounts {
  readonly capacity: number;
  readonly reserve: number;
  readonly #accounts = new Map<string, AccountUse>();
  /** Accounts that hold or wait for places. */
  readonly #active = new Set<AccountUse>();
  #activeWeight = 0;
  #held = 0;

  constructor(capacity: number, reserve: number) {
    this.capacity = capacity;
    // A pool of one place has none to keep free.
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

  /** The account's record, with the weight and limit that its plan gives it now. */
  getAccount({ accountId, weight, limit }: PoolHolder, nowMs: number): AccountUse {
    let account = this.#accounts.get(accountId);
    if (account === undefined) {
      if (this.#accounts.size >= MAX_ACCOUNTS) this.#forgetIdle(nowMs);
      account = new AccountUse(accountId, weight);
      this.#accounts.set(accountId, account);
    } else if (account.weight !== weight) {
      if (account.isActive) this.#activeWeight += weight - account.weight;
      account.weight = weight;
    }
    // One place is allowed even if no other fits beside it.
    account.limit = Math.min(limit, Math.max(this.capacity - this.reserve, this.reserve));
    return account;
  }

  /** Adds to what an account holds. */
  addHeld(account: AccountUse, amount: number): void {
    this.#held += amount;
    this.changeActivity(account, () => {
      account.held += amount;
    });
  }

  /** Applies a change that may make an account active or idle. */
  changeActivity(account: AccountUse, change: () => void): void {
    const wasActive = account.isActive;
    change();
    if (account.isActive === wasActive) return;
    if (wasActive) this.#active.delete(account);
    else this.#active.add(account);
    this.#activeWeight += wasActive ? -account.weight : account.weight;
  }

  /**
   * The part of the capacity, less the reserve, that is the account's own beside `newcomer` and the accounts
   * that are active now; at least one place.
   */
  computeShare(account: AccountUse, newcomer = account): number {
    const weights = this.#activeWeight + (newcomer.isActive ? 0 : newcomer.weight);
    return Math.max(this.reserve, 1, ((this.capacity - this.reserve) * account.weight) / weights);
  }

  /** The part of the whole capacity that is the account's by weight, however small. */
  computeEqualPart(account: AccountUse, newcomer = account): number {
    const weights = this.#activeWeight + (newcomer.isActive ? 0 : newcomer.weight);
    return (this.capacity * account.weight) / weights;
  }

  isWithinShare(account: AccountUse, amount: number): boolean {
    return account.held + amount <= Math.min(account.limit, this.computeShare(account));
  }

  /**
   * Whether that much is free for the account: only an account with less than one place may use the reserve.
   */
  hasRoom(account: AccountUse, amount: number): boolean {
    const mayUseReserve = account.held + amount <= this.reserve;
    return this.#held + amount <= this.capacity - (mayUseReserve ? 0 : this.reserve);
  }

  /**
   * The account most over its share whose oldest place was lent before `untilMs` and can be reclaimed for
   * `needy`; null if there is none. For an amount within the equal part of `needy`, whatever others hold
   * beyond theirs is lent: shares of at least one place add up to more than the capacity if places are large.
   */
  findBorrower(needy: AccountUse, amount: number, untilMs = Infinity): AccountUse | null {
    const isModest = needy.held + amount <= this.computeEqualPart(needy);
    let borrower: AccountUse | null = null;
    for (const account of this.#active) {
      const [oldest] = account.reclaimable;
      if (account === needy || oldest === undefined || oldest.startedAtMs > untilMs) continue;
      const share = this.computeShare(account, needy);
      const own = isModest ? Math.min(share, this.computeEqualPart(account, needy)) : share;
      if (account.held <= Math.max(1, own)) continue;
      if (!borrower || account.held / account.weight > borrower.held / borrower.weight) borrower = account;
    }
    return borrower;
  }

  #forgetIdle(nowMs: number): void {
    for (const [id, account] of this.#accounts) if (account.isForgettable(nowMs)) this.#accounts.delete(id);
  }
}
