import { Semaphore } from '#concurrency';
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
  const semaphore = new Semaphore(slots, maxQueue, {
    reserved: slots === 1 ? 0 : 1,
    maxQueuedPerKey: maxQueuePerCaller,
    createError: () => new ApiError('overloaded', undefined, { retryAfterSeconds: 2 }),
  });

  return async function run<T>({ address, isKnown }: WorkCaller, work: () => Promise<T>): Promise<T> {
    const release = await semaphore.acquire({ key: address, isPreferred: isKnown });
    try {
      return await work();
    } finally {
      release();
    }
  };
}

export type WorkGate = ReturnType<typeof createWorkGate>;
