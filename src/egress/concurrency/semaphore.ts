import { onAbort } from './abort-listeners.ts';

/** Lets `maxRunning` tasks run at once and `maxQueued` more wait, first come, first served. */
export interface Turns {
  /** Calls `run` now or when its turn comes; null where the queue is full. The function given back ends the turn or leaves the queue. */
  take(run: () => void): (() => void) | null;
  readonly running: number;
  readonly waiting: number;
}

export function createTurns(maxRunning: number, maxQueued: number): Turns {
  const queue = new Set<() => void>();
  let running = 0;

  function startNext(): void {
    for (const run of queue) {
      if (running >= maxRunning) return;
      queue.delete(run);
      running += 1;
      run();
    }
  }

  function take(run: () => void): (() => void) | null {
    if (running >= maxRunning && queue.size >= maxQueued) return null;
    let isOver = false;
    queue.add(run);
    startNext();
    return () => {
      if (isOver) return;
      isOver = true;
      if (queue.delete(run)) return;
      running -= 1;
      startNext();
    };
  }

  return {
    take,
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
  };
}

/** Waits for a turn; resolves with the function that ends it. Rejects with the signal's reason, and if the queue is full. */
export async function waitForTurn(turns: Turns, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = turns.take(resolve);
  if (end === null) throw new Error('the queue is full');
  const stopListening = onAbort(signal, () => reject(signal.reason as Error));
  try {
    await promise;
    return end;
  } catch (error) {
    end();
    throw error;
  } finally {
    stopListening();
  }
}
