/** A batch works this long before it gives way to the event loop. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop that no other batch works in: many batches at once take one slice a turn together. */
function waitForTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (waiting.push(resolve) === 1) setImmediate(startNext);
  return promise;
}

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}

/** Returns what a batch calls before each address: a promise to await if it has no slice or its slice is over, else null. */
export function createSlices(now: () => number): () => Promise<void> | null {
  let endsAtMs = -Infinity;
  async function startSlice(): Promise<void> {
    await waitForTurn();
    endsAtMs = now() + SLICE_MS;
  }
  return () => (now() < endsAtMs ? null : startSlice());
}
