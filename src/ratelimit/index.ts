/**
 * How often may one key or address call? Clock-minute windows behind a small interface.
 * Never knows plans, keys or HTTP, and never reads the clock.
 */
export { createMemoryWindowCounter } from './memory-window-counter.ts';
export { WINDOW_MS } from './window-counter.ts';
export type { WindowCounter, WindowDecision } from './window-counter.ts';
