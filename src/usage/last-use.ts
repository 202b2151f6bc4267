/** The interval at which the last use of a busy key is written. */
const INTERVAL_MS = 60_000;
/** Keys examined per key that may be due. Idle keys are forgotten by this, a bounded number per call. */
const EXAMINED_PER_KEY = 10;

interface WrittenUse {
  /** The last use, which may not be written yet. */
  atMs: number;
  /** The use that is written. */
  storedMs: number;
  /** The time of writing. */
  writtenMs: number;
}

/**
 * Creates the record of when each key was last used. A use is due at the key's first request and then once a
 * minute, so that thousands of busy keys do not cause thousands of writes per second. The cost of each call
 * depends on the keys that it returns, not on all keys.
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
     * Removes and returns at most `limit` uses to write now: first uses, and uses of keys written over a
     * minute ago; with `isLast`, all unwritten uses. Forgets keys that were idle for a minute.
     */
    takeDue(nowMs: number, isLast: boolean, limit: number): Map<string, number> {
      const due = new Map<string, number>();
      for (const [keyId, atMs] of unwritten) {
        if (due.size >= limit) return due;
        unwritten.delete(keyId);
        due.set(keyId, atMs);
      }
      let left = isLast ? Infinity : limit * EXAMINED_PER_KEY;
      for (const [keyId, { atMs, storedMs, writtenMs }] of written) {
        if (due.size >= limit || left <= 0 || (!isLast && nowMs - writtenMs < INTERVAL_MS)) return due;
        left -= 1;
        written.delete(keyId);
        if (atMs > storedMs) due.set(keyId, atMs);
      }
      return due;
    },
    /** Records that these uses were written. */
    recordWritten(due: ReadonlyMap<string, number>, nowMs: number): void {
      for (const [keyId, storedMs] of due) {
        const atMs = unwritten.get(keyId) ?? storedMs;
        unwritten.delete(keyId);
        written.set(keyId, { atMs, storedMs, writtenMs: nowMs });
      }
    },
  };
}
