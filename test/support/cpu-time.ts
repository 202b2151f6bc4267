/**
 * Limits on CPU time that hold on a busy or slow machine: each measurement is compared with that of a fixed
 * workload right after it, which the same machine slows down in the same way.
 */

/** The reference workload on the machine that the limits were chosen on, idle. */
export const REFERENCE_MS = 25;
const ATTEMPTS = 6;

const TEXT = Buffer.alloc(1 << 18, 'a <b c="d">');
// The first runs compile it.
for (let run = 0; run < 4; run++) runReference();

/** Returns the CPU time of `act` on this thread, in milliseconds. */
export function measureCpuMs(act: () => unknown): number {
  const before = process.threadCpuUsage();
  act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns how many times slower this thread is now than it was when the limits were chosen; at least 1. */
export function measureSlowdown(): number {
  return Math.max(1, measureCpuMs(runReference) / REFERENCE_MS);
}

/**
 * Returns whether `act` takes less CPU time than `limitMs`, which grows with the slowdown of the machine.
 * Once in several attempts is enough: the first ones compile `act`, and other programs interrupt some.
 */
export function isFasterThan(limitMs: number, act: () => unknown): boolean {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const takenMs = measureCpuMs(act);
    if (takenMs < limitMs || takenMs < limitMs * measureSlowdown()) return true;
  }
  return false;
}

/** Passes over bytes, as a scanner does, then makes many small strings and objects. */
export function runReference(): number {
  let hash = 0;
  for (let pass = 0; pass < 8; pass++) for (const byte of TEXT) hash = Math.imul(hash ^ byte, 0x0100_0193);
  const words = new Map<string, { at: number }>();
  for (const [at, word] of TEXT.toString('latin1').split(' ').entries()) words.set(`${word}${at}`, { at });
  return hash + words.size;
}
