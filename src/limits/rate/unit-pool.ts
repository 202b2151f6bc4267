import type { ServerClock } from './server-clock.ts';

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
  /**
   * Rejects within `timeoutMs` if the server did not reply, immediately during an outage. `onLate` receives a
   * reply that comes after that.
   */
  take(request: PoolRequest, onLate: (reply: PoolReply) => void): Promise<PoolReply>;
  /** Called for each decision without a reply. */
  onAlone(): void;
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
