/**
 * Rate limits of keys and addresses: clock-minute windows behind a small interface, in memory or in a pool of
 * units that replicas share. Never refers to plans, keys or HTTP, and never reads the clock.
 */
export { createLeasedWindowCounter } from './leased-window-counter.ts';
export type { LeasedWindowCounter } from './leased-window-counter.ts';
export { createMemoryWindowCounter } from './memory-window-counter.ts';
export { ServerClock } from './server-clock.ts';
export type { PoolListener, PoolReply, PoolRequest, UnitPool } from './unit-pool.ts';
export { WINDOW_MS, describeWindow } from './window-counter.ts';
export type { WindowCounter, WindowDecision } from './window-counter.ts';
