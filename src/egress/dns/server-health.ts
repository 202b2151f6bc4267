const DEMOTED_AFTER_MISSES = 3;
const DEMOTED_FOR_MS = 10_000;

/** Whether a name server is worth asking first: one that missed several answers in a row is not, for a while. */
export interface ServerHealth {
  noteAnswer(): void;
  noteMiss(): void;
  isDemoted(): boolean;
}

export function createServerHealth(now: () => number): ServerHealth {
  let misses = 0;
  let demotedUntilMs = 0;
  return {
    noteAnswer() {
      misses = 0;
    },
    noteMiss() {
      misses += 1;
      if (misses >= DEMOTED_AFTER_MISSES) demotedUntilMs = now() + DEMOTED_FOR_MS;
    },
    isDemoted: () => now() < demotedUntilMs,
  };
}
