import { onAbort } from '#concurrency';
import type { ApiError } from '#errors';
import {
  type AccountUse,
  type Holding,
  PoolAccounts,
  type PoolHolder,
  type Waiter,
} from './pool-accounts.ts';
import type { AcquireOptions, OnReclaim, Place } from './shares.ts';
import { WaitQueue } from './wait-queue.ts';

/**
 * Why an account gets no place. `limit`: its own requests use up all that it may ever hold. `share`: other
 * accounts use the rest, and it exceeds its part. `capacity`: it is within its part, but the accounts within
 * theirs use all. `size`: one request is larger than the limit.
 */
export interface Refusal {
  reason: 'limit' | 'share' | 'capacity' | 'size';
  /** True if the request had been waiting or running. */
  wasQueued: boolean;
  /** The maximum that the account may hold. */
  limit: number;
  /** The part of it that is the account's own beside the accounts that are active now. */
  part: number;
  /** When to try again, in milliseconds. */
  retryAfterMs: number;
  /** True if the account shares its part with others. */
  isGrouped: boolean;
}

export interface FairPoolOptions {
  capacity: number;
  /** The size of one place. This much always stays free for accounts that hold less than that. */
  reserve: number;
  /** Milliseconds; only differences count. */
  now: () => number;
  /** The maximum number of queued requests of all accounts. */
  maxQueued: number;
  /** The maximum time that a request waits. */
  maxWaitMs: number;
  /**
   * The time that a place is lent before an account within its share can reclaim it; null if it is never
   * reclaimed.
   */
  loanMs: number | null;
  createError: (refusal: Refusal) => ApiError;
}

/** The pool that a grant belongs to. */
interface GrantPool {
  resize(grant: Holding, amount: number): void;
  release(grant: Holding, usedMs?: number): void;
}

/** Places of a pool that one request holds. */
class Grant implements Place, Holding {
  readonly account: AccountUse;
  readonly startedAtMs: number;
  readonly onReclaim: OnReclaim | undefined;
  amount: number;
  readonly #pool: GrantPool;

  constructor(
    pool: GrantPool,
    account: AccountUse,
    amount: number,
    startedAtMs: number,
    onReclaim?: OnReclaim,
  ) {
    this.#pool = pool;
    this.account = account;
    this.amount = amount;
    this.startedAtMs = startedAtMs;
    this.onReclaim = onReclaim;
  }

  resize(amount: number): void {
    this.#pool.resize(this, amount);
  }

  release(usedMs?: number): void {
    this.#pool.release(this, usedMs);
  }
}

const RETRY_MS = 1_000;
/** The interval at which reclaiming is tried for waiting accounts. */
const RECLAIM_INTERVAL_MS = 100;

/**
 * One scarce resource, shared between accounts by weighted fair queueing. A single account may hold all but
 * the reserve. What it holds beyond its fair share (capacity × its weight / the weights of all active
 * accounts) is lent, and is reclaimed when an account within its share needs it. The waiting account with the
 * least use in the last minute is next.
 *
 * It is no Semaphore, whose places belong to a task until it ends and whose order depends on arrival alone:
 * here the order depends on past use, and a place can be taken back from the task that holds it.
 */
export class FairPool {
  readonly #options: FairPoolOptions;
  readonly #accounts: PoolAccounts;
  readonly #queue: WaitQueue;
  #grants = 0;
  /** Runs while requests wait for lent places. One timer serves all, because many thousand may wait. */
  #reclaiming: NodeJS.Timeout | undefined;

  constructor(options: FairPoolOptions) {
    this.#options = options;
    this.#accounts = new PoolAccounts(options.capacity, options.reserve);
    this.#queue = new WaitQueue(this.#accounts);
  }

  get held(): number {
    return this.#accounts.held;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Returns how much an account holds. */
  getHeld(accountId: string): number {
    return this.#accounts.getHeld(accountId);
  }

  /** Acquires places immediately; see Shares.take. */
  take(holder: PoolHolder, amount: number, onReclaim?: OnReclaim): Place {
    const account = this.#accounts.getAccount(holder, this.#options.now());
    if (amount > account.limit) throw this.#refuse(account, 'size', false);
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

  /** Changes the size of a grant; see Place.resize. */
  resize(grant: Holding, amount: number): void {
    const change = amount - grant.amount;
    if (grant.amount === 0 || change === 0) return;
    if (amount > grant.account.limit) throw this.#refuse(grant.account, 'size', false);
    if (change > 0) this.#makeRoom(grant.account, change);
    grant.amount = amount;
    this.#accounts.addHeld(grant.account, change);
    if (change < 0) this.#startNext();
  }

  /** Ends a grant; see Place.release. */
  release(grant: Holding, usedMs?: number): void {
    if (grant.amount === 0) return;
    this.#end(grant, usedMs);
    this.#startNext();
  }

  /** True if one more place can be granted now without overtaking a request that comes first. */
  #mayStart(account: AccountUse): boolean {
    return (
      account.waiting.size === 0 &&
      account.held + 1 <= account.limit &&
      this.#accounts.hasRoom(account, 1) &&
      (this.#queue.length === 0 || this.#accounts.isWithinShare(account, 1))
    );
  }

  #makeRoom(account: AccountUse, amount: number): void {
    if (account.held + amount > account.limit) throw this.#refuse(account, 'limit', false);
    while (!this.#accounts.hasRoom(account, amount))
      if (!this.#reclaimFor(account, amount)) {
        const isWithin = this.#accounts.isWithinShare(account, amount);
        throw this.#refuse(account, isWithin ? 'capacity' : 'share', false);
      }
  }

  #grant(account: AccountUse, amount: number, onReclaim?: OnReclaim): Grant {
    const nowMs = this.#options.now();
    const grant = new Grant(this, account, amount, nowMs, onReclaim);
    this.#accounts.addHeld(account, amount);
    account.recordStart(nowMs);
    account.servedAt = ++this.#grants;
    if (onReclaim && this.#options.loanMs !== null) account.group.reclaimable.add(grant);
    return grant;
  }

  #end(grant: Holding, usedMs?: number): void {
    const { account, amount } = grant;
    grant.amount = 0;
    account.group.reclaimable.delete(grant);
    account.recordEnd(grant.startedAtMs, this.#options.now(), usedMs);
    this.#accounts.addHeld(account, -amount);
  }

  /** Reclaims a grant for an account. Returns false if none can be reclaimed. */
  #reclaimFor(needy: AccountUse, amount: number): boolean {
    const { loanMs, now } = this.#options;
    const grant = loanMs === null ? null : this.#accounts.findReclaimable(needy, amount, now() - loanMs);
    if (!grant) return false;
    const error = this.#refuse(grant.account, 'share', true);
    // Before the callback, which may release the place too.
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
      const settle = (): void => {
        clearTimeout(expiry);
        stopListening();
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
      this.#queue.add(waiter);
      if (this.#options.loanMs !== null)
        this.#reclaiming ??= setInterval(() => this.#retryReclaims(), RECLAIM_INTERVAL_MS);
      const stopListening = onAbort(signal, (reason) => this.#dequeue(waiter, reason as Error));
      this.#startNextFor(account);
    });
  }

  /**
   * Refuses requests that would wait too long. In a full queue, the account with the most waiting requests
   * loses one.
   */
  #assertMayWait(account: AccountUse, maxWaitMs: number): void {
    const { maxQueued, now, loanMs } = this.#options;
    const isWithin = this.#accounts.isWithinShare(account, account.waiting.size + 1);
    const waitMs = this.#queue.estimateWaitMs(account, now(), loanMs ?? 0);
    if (waitMs > maxWaitMs) {
      const isOwn = account.estimateOwnWaitMs(account.limit) > maxWaitMs;
      const reason = isWithin ? 'capacity' : isOwn ? 'limit' : 'share';
      throw this.#refuse(account, reason, false, waitMs - maxWaitMs);
    }
    if (this.#queue.length < maxQueued) return;
    const last = this.#queue.findLast(account);
    if (!last) throw this.#refuse(account, isWithin ? 'capacity' : 'limit', false);
    this.#dequeue(last, this.#refuse(last.account, 'limit', true));
  }

  #dequeue(waiter: Waiter, reason: Error): void {
    if (!this.#queue.remove(waiter)) return;
    waiter.refuse(reason);
    // With one account fewer, another may be within its share.
    this.#startNext();
  }

  #expire(waiter: Waiter): void {
    const { account } = waiter;
    const isOwn = account.held >= account.limit;
    const reason = this.#accounts.isWithinShare(account, 1) ? 'capacity' : isOwn ? 'limit' : 'share';
    this.#dequeue(waiter, this.#refuse(account, reason, true));
  }

  /** Reclaims room for this account if it may, then starts the requests that have room. */
  #startNextFor(account: AccountUse): void {
    while (!this.#accounts.hasRoom(account, 1) && this.#reclaimFor(account, 1));
    this.#startNext();
  }

  #retryReclaims(): void {
    for (const account of this.#queue.accounts) this.#startNextFor(account);
    if (this.#queue.length > 0) return;
    clearInterval(this.#reclaiming);
    this.#reclaiming = undefined;
  }

  #startNext(): void {
    while (this.#queue.length > 0) {
      const waiter = this.#queue.findNext(this.#options.now());
      if (!waiter) return;
      this.#queue.remove(waiter);
      waiter.grant();
    }
  }

  #refuse(account: AccountUse, reason: Refusal['reason'], wasQueued: boolean, waitMs = RETRY_MS): ApiError {
    const retryAfterMs = Math.max(RETRY_MS, waitMs);
    const { limit, held, group } = account;
    const ofGroup = this.#accounts.computeShare(account) - (group.held - held);
    const part = Math.min(limit, Math.max(0, Math.floor(ofGroup)));
    const isGrouped = group !== account;
    return this.#options.createError({ reason, wasQueued, limit, part, retryAfterMs, isGrouped });
  }
}
