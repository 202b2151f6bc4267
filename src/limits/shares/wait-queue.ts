import type { AccountUse, PoolAccounts, Waiter } from './pool-accounts.ts';

/** The queued requests of one pool, and the order in which they start. */
export class WaitQueue {
  readonly #accounts: PoolAccounts;
  readonly #waiting = new Set<AccountUse>();
  #length = 0;

  constructor(accounts: PoolAccounts) {
    this.#accounts = accounts;
  }

  get length(): number {
    return this.#length;
  }

  /** The accounts with queued requests. */
  get accounts(): Iterable<AccountUse> {
    return this.#waiting;
  }

  add(waiter: Waiter): void {
    const { account } = waiter;
    this.#accounts.changeActivity(
      account,
      () => account.waiting.add(waiter) && account.group.waiting.add(waiter),
    );
    this.#waiting.add(account);
    this.#length += 1;
  }

  /** Removes a request. Returns false if it is not queued. */
  remove(waiter: Waiter): boolean {
    const { account } = waiter;
    if (!account.waiting.has(waiter)) return false;
    this.#accounts.changeActivity(account, () => {
      for (const { waiting } of [account, account.group]) waiting.delete(waiter);
    });
    if (account.waiting.size === 0) this.#waiting.delete(account);
    this.#length -= 1;
    return true;
  }

  /**
   * Returns the request to start now, or null if there is no room. Accounts within their shares come first,
   * then the account with the least use; in a group, all of it counts first.
   */
  findNext(nowMs: number): Waiter | null {
    let best: AccountUse | null = null;
    let bestUse = 0;
    let bestOwnUse = 0;
    let isBestWithin = false;
    for (const account of this.#waiting) {
      if (account.held + 1 > account.limit || !this.#accounts.hasRoom(account, 1)) continue;
      const isWithin = this.#accounts.isWithinShare(account, 1);
      const use = account.group.computeUse(nowMs);
      const ownUse = account.computeUse(nowMs);
      const differences = [use - bestUse, ownUse - bestOwnUse, account.servedAt - (best?.servedAt ?? 0)];
      const isEarlier = (differences.find((difference) => difference !== 0) ?? 0) < 0;
      if (best !== null && (isWithin === isBestWithin ? !isEarlier : !isWithin)) continue;
      [best, bestUse, bestOwnUse, isBestWithin] = [account, use, ownUse, isWithin];
    }
    const [first] = best?.waiting ?? [];
    return first ?? null;
  }

  /**
   * Returns the request to refuse when a request of `newcomer` meets a full queue: the last one of the
   * account with the most queued requests, in the group that has the most. Returns null if that account is
   * `newcomer`.
   */
  findLast(newcomer: AccountUse): Waiter | null {
    let longest = newcomer.group;
    for (const { group } of this.#waiting)
      if (group.waiting.size / group.weight > longest.waiting.size / longest.weight) longest = group;
    let fullest: AccountUse | null = longest === newcomer.group ? newcomer : null;
    for (const account of this.#waiting)
      if (account.group === longest && account.waiting.size > (fullest?.waiting.size ?? 0)) fullest = account;
    return fullest === newcomer ? null : ([...(fullest?.waiting ?? [])].at(-1) ?? null);
  }

  /**
   * Estimates how long a new request of the account would wait, from how long its own requests hold their
   * places and how many of others come first: slow requests of others do not count against it. `loanMs`: how
   * long a place is lent.
   */
  estimateWaitMs(account: AccountUse, nowMs: number, loanMs: number): number {
    const share = Math.min(account.limit, this.#accounts.computeShare(account));
    // The requests of its group that it waits for are not its own, and may be reclaimed for it.
    const isWithin = account.held + account.waiting.size + 1 <= share;
    if (isWithin && this.#accounts.findBorrower(account, 1)) return loanMs;
    const use = account.group.computeUse(nowMs);
    const others = [...this.#accounts.active].filter((other) => other !== account.group);
    // An account that has used less than another comes before it, also for places beyond its share.
    const isLight = others.some((other) => other.computeUse(nowMs) > use);
    const ownMs = isWithin ? 0 : account.estimateOwnWaitMs(isLight ? account.limit : share);
    if (this.#accounts.held < this.#accounts.capacity) return ownMs;
    let othersMs = 0;
    for (const other of others) {
      const isEarlier = other.computeUse(nowMs) <= use;
      const earlier = isEarlier ? Math.min(other.waiting.size, account.waiting.size + 1) : 0;
      othersMs += (other.held / 2 + earlier) * Math.min(other.averageHoldMs, account.averageHoldMs);
    }
    return Math.max(ownMs, othersMs / this.#accounts.capacity);
  }
}
