/**
 * Counts units in a pool that replicas share, with leases: docs/internals/decisions/0011. A request whose key
 * has units left in its lease costs no call. Concurrent requests of one key share one call.
 */
import { KeyLease, LeaseQueue } from './lease-queue.ts';
import { computeEarliestWindow, computeLatestWindow } from './server-clock.ts';
import type { UnitPool } from './unit-pool.ts';
import { type WindowCounter, type WindowDecision } from './window-counter.ts';

export interface LeasedWindowCounterOptions {
  pool: UnitPool;
  /** Past this many keys in a minute new keys share one count, which bounds memory. */
  maxKeys?: number;
}

export interface LeasedWindowCounter extends WindowCounter {
  /** Returns all unused units. Resolves when the pool has replied, or did not. */
  close(): Promise<void>;
}

/** Creates a WindowCounter over a pool. While the pool is out of reach, this replica admits its part. */
export function createLeasedWindowCounter({
  pool,
  maxKeys = 1_000_000,
}: LeasedWindowCounterOptions): LeasedWindowCounter {
  const queues = new QueueTable(pool, maxKeys);

  function tryConsume(key: string, limit: number, cost: number): WindowDecision | null {
    const queue = queues.get(key, computeLatestWindow(pool.clock));
    return queue.isBusy ? null : queue.decideByLease(limit, cost);
  }

  async function consume(key: string, limit: number, cost: number, nowMs: number): Promise<WindowDecision> {
    const decision = tryConsume(key, limit, cost);
    if (decision) return decision;
    return new Promise((decide) => {
      const waiting = { limit, cost, nowMs, sinceMs: pool.clock.now(), recalls: 0, decide };
      queues.get(key, computeLatestWindow(pool.clock)).add(waiting);
    });
  }

  pool.listen({
    onRecall: (name) => void queues.find(name)?.report(),
    onLeft: (name, window, left) => queues.find(name)?.setLeft(window, left),
    // The server may have lost the counts, and does not know what was counted during the outage.
    onRecovery: () => void reportAll(queues.list(computeEarliestWindow(pool.clock), ({ used }) => used > 0)),
  });
  return {
    consume,
    tryConsume,
    // Only what would be unused: a process that ends has no time for all keys of a flood.
    close: () => reportAll(queues.list(computeEarliestWindow(pool.clock), ({ isUnsettled }) => isUnsettled)),
  };
}

/** Keys that are reported together: more could take longer than a call may. */
const REPORT_BATCH = 64;

/** Reports the units that this replica has admitted, and returns its leases. */
async function reportAll(queues: LeaseQueue[]): Promise<void> {
  for (let first = 0; first < queues.length; first += REPORT_BATCH)
    await Promise.all(queues.slice(first, first + REPORT_BATCH).map((queue) => queue.report()));
}

/**
 * The queues of the keys. Those of the window before are kept: at the turn of a minute the server may still
 * be in it, and the units used in it must be reported.
 */
class QueueTable {
  readonly #pool: UnitPool;
  readonly #maxKeys: number;
  #current = createTable();
  #previous = createTable();
  #window = -1;

  constructor(pool: UnitPool, maxKeys: number) {
    this.#pool = pool;
    this.#maxKeys = maxKeys;
  }

  get(key: string, window: number): LeaseQueue {
    if (window > this.#window) this.#begin(window);
    const known = this.#current.byKey.get(key);
    if (known) return known;
    if (this.#current.byKey.size >= this.#maxKeys && key !== '') return this.get('', window);
    const queue =
      this.#previous.byKey.get(key) ?? new LeaseQueue(new KeyLease(this.#pool.formatName(key)), this.#pool);
    this.#current.byKey.set(key, queue);
    this.#current.byName.set(queue.lease.name, queue);
    return queue;
  }

  find(name: string): LeaseQueue | undefined {
    return this.#current.byName.get(name) ?? this.#previous.byName.get(name);
  }

  /** Returns the queues whose lease is of this window, or a later one, and passes the check. */
  list(window: number, check: (lease: KeyLease) => boolean): LeaseQueue[] {
    const all = new Set([...this.#previous.byKey.values(), ...this.#current.byKey.values()]);
    return [...all].filter(({ lease }) => lease.window >= window && check(lease));
  }

  /** Starts a table for a window. Costs no loop over all keys. */
  #begin(window: number): void {
    // Before the first reply of the server, the window is not known.
    if (this.#window !== -1) [this.#previous, this.#current] = [this.#current, createTable()];
    this.#window = window;
  }
}

function createTable() {
  return { byKey: new Map<string, LeaseQueue>(), byName: new Map<string, LeaseQueue>() };
}
