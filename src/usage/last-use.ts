/** How often the last use of a key that is in use is written. */
const INTERVAL_MS = 60_000;
/** Keys that are looked at for each one that may be due: those without a new use are forgotten, a bounded number at a time. */
const LOOKS_PER_KEY = 10;

interface WrittenUse {
  atMs: number;
  /** The use that is stored, and when it was stored. */
  storedMs: number;
  sinceMs: number;
}

/**
 * When each key was last used, to be written at its first use and then once a minute: thousands of busy keys are not thousands of writes a
 * second. Every step costs time only for the keys that it returns.
 */
export function createLastUse() {
  /** Keys whose use is written with the next flush. */
  const unwritten = new Map<string, number>();
  /** Keys whose use was written, in the order of writing: the first is due first. */
  const written = new Map<string, WrittenUse>();

  function add(keyId: string, atMs: number): void {
    const knownMs = unwritten.get(keyId);
    if (knownMs === undefined || knownMs < atMs) unwritten.set(keyId, atMs);
  }

  return {
    record(keyId: string, atMs: number): void {
      const use = written.get(keyId);
      if (!use) add(keyId, atMs);
      else if (atMs > use.atMs) use.atMs = atMs;
    },
    /**
     * Removes and returns at most `limit` uses to write now: first uses and those whose last writing is a minute ago; with `isLast`, all
     * that are not written yet. A key that was not used for a minute is forgotten.
     */
    takeDue(nowMs: number, isLast: boolean, limit: number): Map<string, number> {
      const due = new Map<string, number>();
      for (const [keyId, atMs] of unwritten) {
        if (due.size >= limit) return due;
        unwritten.delete(keyId);
        due.set(keyId, atMs);
      }
      let looks = isLast ? Infinity : limit * LOOKS_PER_KEY;
      for (const [keyId, { atMs, storedMs, sinceMs }] of written) {
        if (due.size >= limit || looks <= 0 || (!isLast && nowMs - sinceMs < INTERVAL_MS)) return due;
        looks -= 1;
        written.delete(keyId);
        if (atMs > storedMs) due.set(keyId, atMs);
      }
      return due;
    },
    /** These are stored. */
    recordWritten(due: ReadonlyMap<string, number>, nowMs: number): void {
      for (const [keyId, storedMs] of due) {
        const atMs = unwritten.get(keyId) ?? storedMs;
        unwritten.delete(keyId);
        written.set(keyId, { atMs, storedMs, sinceMs: nowMs });
      }
    },
    /** These could not be stored: they are due again. */
    putBack(due: ReadonlyMap<string, number>): void {
      for (const [keyId, atMs] of due) add(keyId, atMs);
    },
  };
}
