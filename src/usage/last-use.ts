/** How often the last use of a key that is in use is written. */
const INTERVAL_MS = 60_000;

/** When each key was last used, to be written at its first use and then once a minute: thousands of busy keys are not thousands of writes a second. */
export function createLastUse() {
  const uses = new Map<string, { atMs: number; writtenMs: number }>();

  return {
    record(keyId: string, atMs: number): void {
      const use = uses.get(keyId);
      if (!use) uses.set(keyId, { atMs, writtenMs: -Infinity });
      else if (atMs > use.atMs) use.atMs = atMs;
    },
    /** The uses to write now; all that are not written yet, where `isLast`. */
    readDue(isLast: boolean): Map<string, number> {
      const due = new Map<string, number>();
      for (const [keyId, { atMs, writtenMs }] of uses)
        if (atMs - writtenMs >= (isLast ? 1 : INTERVAL_MS)) due.set(keyId, atMs);
      return due;
    },
    /** These are written; keys that are no longer in use are forgotten. */
    recordWritten(due: ReadonlyMap<string, number>, nowMs: number): void {
      for (const [keyId, use] of uses) {
        use.writtenMs = due.get(keyId) ?? use.writtenMs;
        if (use.atMs <= use.writtenMs && nowMs - use.writtenMs >= INTERVAL_MS) uses.delete(keyId);
      }
    },
  };
}
