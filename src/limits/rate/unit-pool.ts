import { WINDOW_MS } from './window-counter.ts';

/** Limits up to this are counted unit by unit: a lease of so few units would be a large part of them. */
export const EXACT_LIMIT = 100;

/** The report and the wish of a replica to the pool of one key. */
export interface PoolRequest {
  /** The name of the key in the pool. */
  name: string;
  limit: number;
  /** The window to which `used` belongs, in minutes since the epoch. */
  window: number;
  /** The units that this replica has admitted in that window. Its lease ends with this report. */
  used: number;
  /** The units to lease, all or none; 0 only reports. */
  need: number;
  /** The units that waiting requests want in total; as many of them as there are. */
  want: number;
  /** One in this many of the units left is leased if that is more than wanted; 0 for none. */
  leaseDivisor: number;
  /** True to ask without a change: the report and the lease stay as they are. */
  isPeek: boolean;
}

/** The reply of the pool. */
export interface PoolReply {
  /** The current window of the server, in minutes since the epoch. */
  window: number;
  /** The units leased: 0, or at least those needed. */
  granted: number;
  /** The units that are neither used nor leased. */
  left: number;
  /** The units that other replicas have leased and may not have used. */
  leasedByOthers: number;
}

/** The units of each key and window, which replicas share. */
export interface UnitPool {
  /** The clock of the server that decides the window. */
  readonly clock: ServerClock;
  /** A call takes at most this long; after that, the replica decides alone. */
  readonly timeoutMs: number;
  /** Other replicas that are alive, plus this one. */
  readonly replicas: number;
  /** True while messages of other replicas arrive. */
  readonly isListening: boolean;
  /** Returns the name of a key in the pool, which does not reveal the key. */
  formatName(key: string): string;
  /** Rejects within `timeoutMs` if the server did not reply, at once while it does not. */
  take(request: PoolRequest): Promise<PoolReply>;
  /** Receives the messages of other replicas. */
  listen(listener: PoolListener): void;
}

export interface PoolListener {
  /** Another replica needs units of this name: those leased here and not used must be returned. */
  onRecall(name: string): void;
  /** The units left in the pool have changed. */
  onLeft(name: string, window: number, left: number): void;
  /** The server replies again after an outage. */
  onRecovery(): void;
}

/** A bound is not replaced by a wider one for this long; the clocks drift by less than 1 ms meanwhile. */
const KEEP_MS = 5_000;

/**
 * Estimates the clock of a server from its replies, as a range: the server read its clock after a call was
 * sent and before the reply was received. Uses only a monotonic clock of this process, so that the time of
 * day of this machine does not matter.
 */
export class ServerClock {
  readonly #now: () => number;
  /** The offset of the server's clock from ours is in this range. */
  #lowest = 0;
  #highest = 0;
  #observedAtMs = -Infinity;

  /** `now` returns monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns whether the server's clock has been observed. */
  get isKnown(): boolean {
    return this.#observedAtMs !== -Infinity;
  }

  /** Returns monotonic milliseconds, for `observe`. */
  now(): number {
    return this.#now();
  }

  /** Records that a reply to the call sent at `sentAtMs` contained the whole milliseconds `serverMs`. */
  observe(serverMs: number, sentAtMs: number): void {
    const nowMs = this.#now();
    const [lowest, highest] = [serverMs - nowMs, serverMs + 1 - sentAtMs];
    const isOld = nowMs - this.#observedAtMs > KEEP_MS;
    const wasStepped = lowest > this.#highest || highest < this.#lowest;
    if (!isOld && !wasStepped && highest - lowest > this.#highest - this.#lowest) return;
    [this.#lowest, this.#highest, this.#observedAtMs] = [lowest, highest, nowMs];
  }

  /** Returns the latest time that the server's clock can show now, in Unix milliseconds. */
  latestMs(): number {
    return this.#now() + this.#highest;
  }

  /** Returns the earliest time that the server's clock can show now, in Unix milliseconds. */
  earliestMs(): number {
    return this.#now() + this.#lowest;
  }
}

/** Returns the earliest window that the server can be in; -1 if it is not known. */
export function computeEarliestWindow(clock: ServerClock): number {
  return clock.isKnown ? Math.floor(clock.earliestMs() / WINDOW_MS) : -1;
}

/** Returns the latest window that the server can be in, in minutes since the epoch; -1 if it is not known. */
export function computeLatestWindow(clock: ServerClock): number {
  return clock.isKnown ? Math.floor(clock.latestMs() / WINDOW_MS) : -1;
}
