/** The clock of the pictures: they show the same dates on each run. */
import { shiftClock } from '../../test/support/shift-clock.ts';

/** A Friday afternoon. */
export const PRESENT_MS = Date.UTC(2026, 10, 20, 14, 52, 18);

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const clock = shiftClock();

/** Sets the time of day of this process; it then runs. */
export function setTime(ms: number): void {
  clock.shiftMs += ms - Date.now();
}

/** Returns a generator of numbers in [0, 1), the same on each run (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
