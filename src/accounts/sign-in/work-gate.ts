import { ApiError } from '#errors';

export interface WorkGateOptions {
  /** Jobs that run at a time; the last slot is reserved for known callers. */
  slots: number;
  /** Jobs that wait, in total and per caller. */
  maxQueue: number;
  maxQueuePerCaller: number;
}

/** The caller of a job: its address, and whether it has signed in to the account from there before. */
export interface WorkCaller {
  address: string;
  isKnown: boolean;
}

/**
 * Creates a gate that runs a bounded number of jobs at a time and refuses jobs past its queue with
 * `overloaded`. One caller cannot fill the queue. A known caller waits at most for the jobs that are running
 * and for other known callers, however many unknown callers wait.
 */
export function createWorkGate({ slots, maxQueue, maxQueuePerCaller }: WorkGateOptions) {
  const queue: { caller: WorkCaller; start: () => void }[] = [];
  let running = 0;

  const hasSlot = ({ isKnown }: WorkCaller): boolean =>
    running < (isKnown || slots === 1 ? slots : slots - 1);

  function acquire(caller: WorkCaller): Promise<void> | null {
    if (hasSlot(caller)) {
      running += 1;
      return null;
    }
    const own = queue.filter((waiting) => waiting.caller.address === caller.address).length;
    if (own >= maxQueuePerCaller || (queue.length >= maxQueue && !caller.isKnown))
      throw new ApiError('overloaded', undefined, { retryAfterSeconds: 2 });
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push({ caller, start: resolve });
    return promise;
  }

  /** Starts the next job: of known callers first, then in the order of arrival. */
  function release(): void {
    running -= 1;
    const known = queue.findIndex(({ caller }) => caller.isKnown);
    const next = queue[Math.max(known, 0)];
    if (!next || !hasSlot(next.caller)) return;
    queue.splice(queue.indexOf(next), 1);
    running += 1;
    next.start();
  }

  return async function run<T>(caller: WorkCaller, work: () => Promise<T>): Promise<T> {
    await acquire(caller);
    try {
      return await work();
    } finally {
      release();
    }
  };
}

export type WorkGate = ReturnType<typeof createWorkGate>;
