import { randomBytes } from 'node:crypto';

/** Distinguishes the ids of processes that store in the same millisecond. */
const PROCESS = randomBytes(4).toString('hex');
let lastMs = 0;
let sequence = 0;

/**
 * Returns an id that sorts by time, and by call within a process: 9 characters of time in base 36, 4 of a
 * sequence number, 8 of the process.
 */
export function createSortedId(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = 0;
  } else if (++sequence >= 36 ** 4) {
    lastMs += 1;
    sequence = 0;
  }
  return toSortedIdStart(lastMs) + sequence.toString(36).padStart(4, '0') + PROCESS;
}

/** Returns the start of the ids of a time: all ids of that time or later are above it. */
export function toSortedIdStart(ms: number): string {
  return Math.max(0, ms).toString(36).padStart(9, '0');
}
