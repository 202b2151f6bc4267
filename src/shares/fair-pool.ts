import type { ApiError } from '#errors';
import type { AccountUse, Holding, Waiter } from './account-use.ts';
import { PoolAccounts, type PoolHolder } from './pool-accounts.ts';
import type { AcquireOptions, OnReclaim, Place } from './shares.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * Why an account gets no place: it is over its own share, or the accounts within their shares use up the
 * capacity.
 */
export interface Refusal {
  reason: 'share' | 'capacity';
  /** Whether the request had been waiting or running. */
  wasQueued: boolean;
  /** The most that the account may hold. */
  limit: number;
  /** When to try again, in milliseconds. */
  retryAfterMs: number;
}

export interface FairPoolOptions {
  capacity: number;
  /** One place: so much always stays free for accounts that hold less than that. */
  reserve: number;
  /** Milliseconds; only differences count. */
  now: () => number;
  /** How many requests may wait, over all accounts. */
  maxQueued: number;
  /** The longest that a request waits. */
  maxWaitMs: number;
  /** How long a place is lent before it can be reclaimed for an account within its share; null for never. */
  loanMs: number | null;
  createError: (refusal: Refusal) => ApiError;
}

const RETRY_MS = 1_000;
/** How often the waiting accounts' claims on lent places are tried again. */
const RECLAIM_INTERVAL_MS = 100;

class Grant implements Place, Holding {
  readonly account: AccountUse;
  readonly startedAtMs: number;
  readonly onReclaim: OnReclaim | undefined;
  amount: number;
  readonly #pool: FairPool;

  constructor(pool: FairPool, account: AccountUse, amount: number, nowMs: number, onReclaim?: OnReclaim) {
    this.#pool = pool;
    this.account = account;
    this.amount = amount;
    this.startedAtMs = nowMs;
    this.onReclaim = onReclaim;
  }

  resize(amount: number): void {
    this.#pool.resize(this, amount);
  }

  release(): void {
    this.#pool.release(this);
  }
}

/**
 * One scarce resource, shared between accounts by weighted fair queueing. An account alone may hold all but
 * the reserve. What it holds beyond its fair share (capacity × its weight / the weights of all active
 * accounts) is lent: it is reclaimed when an account within its share needs it. Among waiting accounts, the
 * one with the least use in the last minute is next.
 */
export class FairPool {
  readonly #options: FairPoolOptions;
  readonly #accounts: PoolAccounts;
  readonly #line: WaitingLine;
  #grants = 0;
  /** Runs while requests wait for places that are lent; one timer for all, because many thousand may wait. */
  #reclaiming: NodeJS.Timeout | undefined;

  constructor(options: FairPoolOptions) {
    this.#options = options;
    this.#accounts = new PoolAccounts(options.capacity, options.reserve);
    this.#line = new WaitingLine(this.#accounts);
  }

  get held(): number {
    return this.#accounts.held;
  }

  get queued(): number {
    return this.#line.length;
  }

  /** How much an account holds. */
  getHeld(accountId: string): number {
    return this.#accounts.getHeld(accountId);
  }

  /** Takes places at once; see Shares.take. */
  take(holder: PoolHolder, amount: number, onReclaim?: OnReclaim): Place {
    const account = this.#accounts.getAccount(holder, this.#options.now());
    this.#makeRoom(account, amount);
    return this.#grant(account, amount, onReclaim);
  }

  /** Waits for one place; see Shares.acquire. */
  async acquire(holder: PoolHolder, options: AcquireOptions = {}): Promise<Place> {
    options.signal?.throwIfAborted();
    const account = this.#accounts.getAccount(holder, this.#options.now());
    if (this.#mayStart(account)) return this.#grant(account, 1, options.onReclaim);
    const maxWaitMs = options.maxWaitMs ?? this.#options.maxWaitMs;
    this.#assertMayWait(account, maxWaitMs);
    return this.#wait(account, { ...options, maxWaitMs });
  }

  /** Changes how much a grant holds; see Place.resize. */
  resize(grant: Holding, amount: number): void {
    const change = amount - grant.amount;
    if (grant.amount === 0 || change === 0) return;
    if (change > 0) this.#makeRoom(grant.account, change);
    grant.amount = amount;
    this.#accounts.addHeld(grant.account, change);
    if (change < 0) this.#startNext();
  }

  /** Ends a grant; see Place.release. */
  release(grant: Holding): void {
    if (grant.amount === 0) return;
    this.#end(grant);
    this.#startNext();
  }

  /** Whether one more place may be given at once without overtaking a request with a better claim. */
  #mayStart(account: AccountUse): boolean {
    return (
      account.waiting.size === 0 &&
      account.held + 1 <= account.limit &&
      this.#accounts.hasRoom(account, 1) &&
      (this.#line.length === 0 || this.#accounts.isWithinShare(account, 1))
    );
  }

  #makeRoom(account: AccountUse, amount: number): void {
    if (account.held + amount > account.limit) throw this.#refuse(account, 'share', false);
    while (!this.#accounts.hasRoom(account, amount)) {
      if (!this.#accounts.isWithinShare(account, amount)) throw this.#refuse(account, 'share', false);
      if (!this.#reclaimFor(account, amount)) throw this.#refuse(account, 'capacity', false);
    }
  }

  #grant(account: AccountUse, amount: number, onReclaim?: OnReclaim): Grant {
    const nowMs = this.#options.now();
    const grant = new Grant(this, account, amount, nowMs, onReclaim);
    this.#accounts.addHeld(account, amount);
    account.recordStart(nowMs);
    account.servedAt = ++this.#grants;
    if (onReclaim && this.#options.loanMs !== null) account.reclaimable.add(grant);
    return grant;
  }

  #end(grant: Holding): void {
    const { account, amount } = grant;
    grant.amount = 0;
    account.reclaimable.delete(grant);
    account.recordEnd(grant.startedAtMs, this.#options.now());
    this.#accounts.addHeld(account, -amount);
  }

  /** Reclaims the oldest grant of the account that is most over its share; false if none can be reclaimed. */
  #reclaimFor(needy: AccountUse, amount: number): boolean {
    const { loanMs, now } = this.#options;
    const borrower = loanMs === null ? null : this.#accounts.findBorrower(needy, amount, now() - loanMs);
    const [grant] = borrower?.reclaimable ?? [];
    if (!borrower || !grant) return false;
    const error = this.#refuse(borrower, 'share', true);
    // Before the callback, which may release the place once more.
    this.#end(grant);
    grant.onReclaim?.(error);
    return true;
  }

  #wait(
    account: AccountUse,
    { signal, onReclaim, maxWaitMs }: AcquireOptions & { maxWaitMs: number },
  ): Promise<Place> {
    return new Promise((resolve, reject) => {
      const expiry = maxWaitMs === Infinity ? undefined : setTimeout(() => this.#expire(waiter), maxWaitMs);
      const onAbort = (): void => this.#leave(waiter, signal?.reason as Error);
      const settle = (): void => {
        clearTimeout(expiry);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        account,
        grant: () => {
          settle();
          resolve(this.#grant(account, 1, onReclaim));
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      this.#line.add(waiter);
      if (this.#options.loanMs !== null)
        this.#reclaiming ??= setInterval(() => this.#retryReclaims(), RECLAIM_INTERVAL_MS);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#startNextFor(account);
    });
  }

  /**
   * Refuses at once what would wait too long; in a full line the account with the most waiting requests gives
   * way.
   */
  #assertMayWait(account: AccountUse, maxWaitMs: number): void {
    const { maxQueued, now, loanMs } = this.#options;
    const isWithin = this.#accounts.isWithinShare(account, account.waiting.size + 1);
    const reason = isWithin ? 'capacity' : 'share';
    const waitMs = this.#line.estimateWaitMs(account, now(), loanMs ?? 0);
    if (waitMs > maxWaitMs) throw this.#refuse(account, reason, false, waitMs - maxWaitMs);
    if (this.#line.length < maxQueued) return;
    const last = this.#line.findLast(account);
    if (!last) throw this.#refuse(account, reason, false);
    this.#leave(last, this.#refuse(last.account, 'share', true));
  }

  #leave(waiter: Waiter, reason: Error): void {
    if (!this.#line.remove(waiter)) return;
    waiter.refuse(reason);
    // With one account less, another may be within its share.
    this.#startNext();
  }

  #expire(waiter: Waiter): void {
    const reason = this.#accounts.isWithinShare(waiter.account, 1) ? 'capacity' : 'share';
    this.#leave(waiter, this.#refuse(waiter.account, reason, true));
  }

  /**
   * Starts the requests that there is room for, after reclaiming it for this account if it is within its
   * share.
   */
  #startNextFor(account: AccountUse): void {
    if (this.#accounts.isWithinShare(account, 1))
      while (!this.#accounts.hasRoom(account, 1) && this.#reclaimFor(account, 1));
    this.#startNext();
  }

  #retryReclaims(): void {
    for (const account of this.#line.accounts) this.#startNextFor(account);
    if (this.#line.length > 0) return;
    clearInterval(this.#reclaiming);
    this.#reclaiming = undefined;
  }

  #startNext(): void {
    while (this.#line.length > 0) {
      const waiter = this.#line.findNext(this.#options.now());
      if (!waiter) return;
      this.#line.remove(waiter);
      waiter.grant();
    }
  }

  #refuse(account: AccountUse, reason: Refusal['reason'], wasQueued: boolean, waitMs = RETRY_MS): ApiError {
    const retryAfterMs = Math.max(RETRY_MS, waitMs);
    return this.#options.createError({ reason, wasQueued, limit: account.limit, retryAfterMs });
  }
}
