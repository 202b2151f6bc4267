const DEMOTED_AFTER_MISSES = 3;
const DEMOTED_FOR_MS = 10_000;

/** True if a name server should be queried first. Three misses in a row demote it for 10 s. */
export interface ServerHealth {
  recordAnswer(): void;
  recordMiss(): void;
  isDemoted(): boolean;
}

/** Creates the health of a server that has not missed an answer. `now` is in milliseconds. */
export function createServerHealth(now: () => number): ServerHealth {
  let misses = 0;
  let demotedUntilMs = 0;
  return {
    recordAnswer() {
      misses = 0;
    },
    recordMiss() {
      misses += 1;
      if (misses >= DEMOTED_AFTER_MISSES) demotedUntilMs = now() + DEMOTED_FOR_MS;
    },
    isDemoted: () => now() < demotedUntilMs,
  };
}
