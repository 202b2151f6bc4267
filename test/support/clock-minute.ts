import { setTimeout as delay } from 'node:timers/promises';

const MINUTE_MS = 60_000;

/** Waits for the next clock minute if less than `ms` of this one is left. */
export async function waitForRoomInMinute(ms: number): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  // The timer may be early by a millisecond, and the clocks of the servers a little behind.
  if (leftMs < ms) await delay(leftMs + 100);
}
