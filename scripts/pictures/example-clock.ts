/** The clock of the pictures: they show the same dates on each run. */

/** A Friday afternoon. */
export const PRESENT_MS = Date.UTC(2026, 10, 20, 14, 52, 18);

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Returns a clock that starts at `startMs` and runs. */
export function createClock(startMs = PRESENT_MS): () => number {
  const startedMs = performance.now();
  return () => Math.round(startMs + performance.now() - startedMs);
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
