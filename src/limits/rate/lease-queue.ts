import { computeLatestWindow } from './server-clock.ts';
import { EXACT_LIMIT, type PoolReply, type PoolRequest, type UnitPool } from './unit-pool.ts';
import { WINDOW_MS, type WindowDecision, describeWindow } from './window-counter.ts';

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
  limit = 0;

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
    } else if (limit === this.limit) return;
    this.limit = limit;
    this.isExhausted = false;
    this.retryAtMs = -Infinity;
  }

  /** Returns whether the state is about this window and limit. */
  isOf(window: number, limit: number): boolean {
    return this.window === window && this.limit === limit;
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

  /** Records a reply to a request that reported these units used. */
  apply(reply: PoolReply, reported = this.used): void {
    this.own = Math.max(0, reply.granted - (this.used - reported));
    this.#charged = reported + reply.granted;
    this.pool = reply.left;
    this.isExhausted = reply.left === 0 && reply.leasedByOthers === 0;
  }

  /**
   * Records a reply that came after the lease was abandoned. `sent` is what its call reported. Returns true
   * if more was admitted since then than it grants.
   */
  applyLate(reply: PoolReply, limit: number, sent: { window: number; used: number }): boolean {
    if (reply.window < this.window || (reply.window === this.window && limit !== this.limit)) return false;
    this.begin(reply.window, limit);
    this.apply(reply, sent.window === reply.window ? sent.used : 0);
    return this.used > this.#charged;
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
    if (this.limit <= EXACT_LIMIT) return this.own + (isFresh ? this.pool : 0);
    if (!isListening) return this.own;
    const margin = (replicas - 1) * Math.ceil(this.pool / KeyLease.computeDivisor(this.limit, replicas));
    return this.own + Math.max(0, this.pool - margin);
  }
}

/** A request that finds all units leased waits for other replicas for this part of the pool's timeout. */
const RECALL_PART = 0.4;
/** A request waits for other replicas this often. */
const MAX_RECALLS = 10;
/** After a replica did not return its units, requests are refused for this long without asking again. */
const RECALL_PAUSE_MS = 250;

/** A request that waits for units. */
export interface Waiting {
  limit: number;
  cost: number;
  nowMs: number;
  /** When it started to wait, in monotonic milliseconds. */
  sinceMs: number;
  /** The number of times it waited for units of other replicas. */
  recalls: number;
  decide: (decision: WindowDecision) => void;
}

/** The requests of one key that wait for a call, in order of arrival. One call is under way at a time. */
export class LeaseQueue {
  readonly lease: KeyLease;
  readonly #pool: UnitPool;
  readonly #waiting: Waiting[] = [];
  #run = Promise.resolve();
  #isRunning = false;
  #mustReport = false;
  /** The number of the last call: replies to earlier ones are out of date. */
  #call = 0;
  /** Ends the wait for units of other replicas. */
  #wake: (() => void) | null = null;

  constructor(lease: KeyLease, pool: UnitPool) {
    this.lease = lease;
    this.#pool = pool;
  }

  /** True while a call is under way: until its reply the lease must not be used. */
  get isBusy(): boolean {
    return this.#isRunning;
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    void this.#start();
  }

  /** Reports the units used and returns the rest. */
  report(): Promise<void> {
    this.#mustReport = true;
    return this.#start();
  }

  setLeft(window: number, left: number): void {
    if (window !== this.lease.window || this.isBusy) return this.#wake?.();
    this.lease.pool = left;
  }

  /** Decides a request without a call; returns null if that is not possible. */
  decideByLease(limit: number, cost: number): WindowDecision | null {
    const { lease } = this;
    const { clock } = this.#pool;
    // The server may be past the window of the lease: a request of the next one needs a call.
    if (lease.window === -1 || !lease.isOf(computeLatestWindow(clock), limit)) return null;
    if (lease.spend(cost)) return this.#describe(true, limit);
    return lease.isRefusedAt(clock.now()) ? this.#describe(false, limit) : null;
  }

  /** Returns a decision by the lease. `isFresh` if the pool replied just now. */
  #describe(admitted: boolean, limit: number, isFresh = false): WindowDecision {
    const { replicas, isListening, clock } = this.#pool;
    const remaining = this.lease.countRemaining(replicas, isListening, isFresh);
    return { admitted, limit, remaining, ...describeWindow(this.lease.window, clock.earliestMs()) };
  }

  #start(): Promise<void> {
    if (this.#isRunning) return this.#run;
    this.#isRunning = true;
    this.#run = this.#work();
    return this.#run;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0 || this.#mustReport) {
      const first = this.#waiting[0];
      try {
        if (first && !this.#decideFirstByLease(first)) await this.#serve(first);
        if (this.#mustReport) await this.#report();
      } catch {
        this.lease.abandon();
        this.#decideAlone();
      }
    }
    // Not in a callback: a request that is added before it runs would wait forever.
    this.#isRunning = false;
  }

  /** Decides a request that was added after the reply to the last call. Returns false if it needs a call. */
  #decideFirstByLease({ limit, cost, decide }: Waiting): boolean {
    const decision = this.decideByLease(limit, cost);
    if (!decision) return false;
    this.#waiting.shift();
    decide(decision);
    return true;
  }

  async #report(): Promise<void> {
    this.#mustReport = false;
    const { lease } = this;
    if (lease.window !== -1) await this.#take({ limit: lease.limit, need: 0, want: 0, isPeek: false });
  }

  /** Asks the pool for the units of the first request, and decides all requests that the reply can decide. */
  async #serve(first: Waiting): Promise<void> {
    const { clock } = this.#pool;
    const { limit } = first;
    const wanted = this.#waiting.reduce((sum, other) => sum + (other.limit === limit ? other.cost : 0), 0);
    const isPeek = first.cost === 0;
    const need = Math.max(first.cost, 1);
    const sentAtMs = clock.now();
    const reply = await this.#take({ limit, need, want: Math.max(wanted, need), isPeek });
    this.#decideWaiting(limit, sentAtMs, isPeek ? reply : null);
    if (this.#waiting[0] !== first) return;
    if (reply.leasedByOthers > 0 && !isPeek && clock.now() >= this.lease.retryAtMs) {
      first.recalls += 1;
      if (first.recalls <= MAX_RECALLS && (await this.#waitForUnits())) return;
      this.lease.retryAtMs = clock.now() + RECALL_PAUSE_MS;
    }
    this.#decideFirst(false);
    this.#decideWaiting(limit, sentAtMs, null);
  }

  async #take({
    limit,
    ...call
  }: Pick<PoolRequest, 'limit' | 'need' | 'want' | 'isPeek'>): Promise<PoolReply> {
    const { lease } = this;
    const pool = this.#pool;
    const leaseDivisor = call.need === 0 ? 0 : KeyLease.computeDivisor(limit, pool.replicas);
    const { name, window, used } = lease;
    const number = (this.#call += 1);
    const receiveLate = (late: PoolReply): void => {
      if (number !== this.#call || call.isPeek) return;
      // What was admitted beyond the grant is reported, so that no other replica admits it too.
      if (lease.applyLate(late, limit, { window, used })) void this.report();
    };
    const reply = await pool.take({ name, window, used, limit, leaseDivisor, ...call }, receiveLate);
    lease.begin(reply.window, limit);
    if (call.isPeek) lease.pool = reply.left;
    else lease.apply(reply);
    return reply;
  }

  /**
   * Decides the requests of this limit that waited when the call was sent, in order, until one needs another
   * call. `peek` is the reply to a call that changed nothing.
   */
  #decideWaiting(limit: number, sentAtMs: number, peek: PoolReply | null): void {
    const { lease } = this;
    for (;;) {
      const first = this.#waiting[0];
      // A later request may be one of the next window.
      if (!first || first.limit !== limit || first.sinceMs > sentAtMs) return;
      if (first.cost === 0 && peek !== null)
        this.#decideFirst(lease.own + peek.left + peek.leasedByOthers > 0);
      else if (first.cost === 0 && lease.own + lease.pool > 0) this.#decideFirst(true);
      else if (lease.spend(first.cost)) this.#decideFirst(true);
      else if (lease.isRefusedAt(this.#pool.clock.now())) this.#decideFirst(false);
      else return;
    }
  }

  #decideFirst(admitted: boolean): void {
    const first = this.#waiting.shift();
    first?.decide(this.#describe(admitted, first.limit, true));
  }

  /** Decides all waiting requests by this replica's part of the limit. */
  #decideAlone(): void {
    const pool = this.#pool;
    for (const { limit, cost, nowMs, decide } of this.#waiting.splice(0)) {
      const atMs = pool.clock.isKnown ? pool.clock.latestMs() : nowMs;
      this.lease.begin(Math.floor(atMs / WINDOW_MS), limit);
      const share = this.#computeShare(limit, atMs);
      pool.onAlone();
      const admitted = this.lease.spendShare(cost, share);
      const remaining = this.lease.isExhausted ? 0 : Math.max(0, share - this.lease.used);
      decide({ admitted, limit, remaining, ...describeWindow(this.lease.window, atMs) });
    }
  }

  /**
   * Returns this replica's part of the limit, at least 1. In the window in which it started, it is less by
   * the time before: the replica that it replaces may have admitted that.
   */
  #computeShare(limit: number, atMs: number): number {
    const { replicas, clock } = this.#pool;
    const leftMs = (this.lease.window + 1) * WINDOW_MS - (atMs - clock.ageMs);
    return Math.max(1, Math.floor(Math.floor(limit / replicas) * Math.min(1, leftMs / WINDOW_MS)));
  }

  /** Resolves to true when the units of the pool change, to false if they do not. */
  #waitForUnits(): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isWoken: boolean): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve(isWoken);
      };
      // setImmediate: messages that arrived while this process was busy are read first.
      const timer = setTimeout(() => setImmediate(() => end(false)), this.#pool.timeoutMs * RECALL_PART);
      this.#wake = () => end(true);
    });
  }
}
