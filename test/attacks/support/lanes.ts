import { setTimeout } from 'node:timers/promises';

export interface Lanes {
  /** Calls at once. */
  count: number;
  /** The shortest time between the starts of two calls of one lane. */
  everyMs: number;
  signal: AbortSignal;
}

/** Calls again and again on each lane until the signal aborts. `n` counts the calls over all lanes. */
export async function runLanes(
  { count, everyMs, signal }: Lanes,
  call: (n: number) => Promise<void>,
): Promise<void> {
  let n = 0;
  const runLane = async (): Promise<void> => {
    while (!signal.aborted) {
      const pause = waitFor(everyMs, signal);
      await call(n++);
      await pause;
    }
  };
  await Promise.all(Array.from({ length: count }, runLane));
}

/** Resolves after so long, or when the signal aborts. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}

/** Resolves when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** One of the list, in turn. */
export function pick<T>(list: readonly T[], n: number): T {
  return list[n % list.length] as T;
}
