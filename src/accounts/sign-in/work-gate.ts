import { ApiError } from '#errors';

export interface WorkGateOptions {
  /** Pieces of work at a time; the last of them is kept for callers who are known. */
  slots: number;
  /** Pieces that wait, in all and for one caller. */
  maxQueue: number;
  maxQueuePerCaller: number;
}

/** Who asks for work: an address, and whether it has shown before that it asks for itself. */
export interface WorkCaller {
  address: string;
  isKnown: boolean;
}

/**
 * Lets so many pieces of work run at a time. Beyond the queue a caller is refused at once with `overloaded`. One caller cannot fill the
 * queue, and no number of strangers can make a known caller wait for more than the work that is under way.
 */
export function createWorkGate({ slots, maxQueue, maxQueuePerCaller }: WorkGateOptions) {
  const queue: { caller: WorkCaller; start: () => void }[] = [];
  let running = 0;

  const hasSlot = ({ isKnown }: WorkCaller): boolean =>
    running < (isKnown || slots === 1 ? slots : slots - 1);

  function enter(caller: WorkCaller): Promise<void> | null {
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

  /** Known callers first, then in the order of arrival. */
  function startNext(): void {
    running -= 1;
    const known = queue.findIndex(({ caller }) => caller.isKnown);
    const next = queue[Math.max(known, 0)];
    if (!next || !hasSlot(next.caller)) return;
    queue.splice(queue.indexOf(next), 1);
    running += 1;
    next.start();
  }

  return async function run<T>(caller: WorkCaller, work: () => Promise<T>): Promise<T> {
    await enter(caller);
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}

export type WorkGate = ReturnType<typeof createWorkGate>;
