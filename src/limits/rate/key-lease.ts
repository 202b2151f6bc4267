import { EXACT_LIMIT, type PoolReply } from './unit-pool.ts';

/** Replicas together lease one in this many of the units left: a replica that dies loses its part of them. */
const LEASE_PART = 4;

/** The units of one key that this replica holds and has admitted in one window. */
export class KeyLease {
  readonly name: string;
  /** In minutes since the epoch; -1 before the first reply. */
  window = -1;
  /** The units admitted by this replica. */
  used = 0;
  /** The units leased and not used. */
  own = 0;
  /** The units left in the pool, by the last message. */
  pool = 0;
  /** True if neither the pool nor another replica has a unit left in this window. */
  isExhausted = false;
  /** Units in other leases are not asked for before this time: their replicas did not return them. */
  retryAtMs = -Infinity;
  /** The units that the pool has charged to this replica; NaN if that is not known. */
  #charged = 0;
  #limit = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Starts a window, or a new limit within it. */
  begin(window: number, limit: number): void {
    if (window !== this.window) {
      this.window = window;
      this.used = 0;
      this.own = 0;
      this.pool = 0;
      this.#charged = 0;
    } else if (limit === this.#limit) return;
    this.#limit = limit;
    this.isExhausted = false;
    this.retryAtMs = -Infinity;
  }

  /** Returns whether the state is about this window and limit. */
  isOf(window: number, limit: number): boolean {
    return this.window === window && this.#limit === limit;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Returns the divisor of a lease for this many replicas; 0 if units are not leased in advance. */
  static computeDivisor(limit: number, replicas: number): number {
    return limit > EXACT_LIMIT ? LEASE_PART * replicas : 0;
  }

  /** Returns whether a request that the lease cannot serve is refused without asking the pool. */
  isRefusedAt(nowMs: number): boolean {
    return this.isExhausted || (this.pool === 0 && nowMs < this.retryAtMs);
  }

  /** Gives the lease up after a call without a reply: the pool may have leased the units again. */
  abandon(): void {
    this.own = 0;
    this.#charged = Number.NaN;
  }

  /** Returns whether the pool charges this replica with something else than what it has used. */
  get isUnsettled(): boolean {
    return this.used !== this.#charged;
  }

  /** Records a reply to a request that reported all units used. */
  apply(reply: PoolReply): void {
    this.own = reply.granted;
    this.#charged = this.used + reply.granted;
    this.pool = reply.left;
    this.isExhausted = reply.left === 0 && reply.leasedByOthers === 0;
  }

  /** Takes units of the lease. Returns false if it has too few. */
  spend(cost: number): boolean {
    if (Math.max(cost, 1) > this.own) return false;
    this.own -= cost;
    this.used += cost;
    return true;
  }

  /**
   * Takes units of this replica's part of the limit while the pool is out of reach; what it admitted before
   * counts. Returns false if too few are left.
   */
  spendShare(cost: number, share: number): boolean {
    if (this.isExhausted || this.used + Math.max(cost, 1) > share) return false;
    this.used += cost;
    this.own = Math.max(0, this.own - cost);
    return true;
  }

  /**
   * Returns a lower bound of the units left: the lease, and the pool without what each other replica may have
   * leased since the last message. `isFresh` if the pool replied just now.
   */
  countRemaining(replicas: number, isListening: boolean, isFresh: boolean): number {
    if (replicas <= 1) return this.own + this.pool;
    if (this.#limit <= EXACT_LIMIT) return this.own + (isFresh ? this.pool : 0);
    if (!isListening) return this.own;
    const margin = (replicas - 1) * Math.ceil(this.pool / KeyLease.computeDivisor(this.#limit, replicas));
    return this.own + Math.max(0, this.pool - margin);
  }
}
