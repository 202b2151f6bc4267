/**
 * Rate limits of keys and addresses: clock-minute windows behind a small interface. Never refers to
 * plans, keys or HTTP, and never reads the clock.
 */
export { createMemoryWindowCounter } from './memory-window-counter.ts';
export { WINDOW_MS } from './window-counter.ts';
export type { WindowCounter, WindowDecision } from './window-counter.ts';
