import { Semaphore } from '#concurrency';
import { DeadlineExceeded } from '#concurrency';
import { egressOverloaded } from '../guard/refusal.ts';

/** The partition of page fetches, which has a limit of its own. */
export const PAGES = 'pages';

export interface ConnectionLimitsOptions {
  /** Connections over all hosts and clients. */
  maxConnections: number;
  /** Connections of pages among them. */
  maxPageConnections: number;
  /**
   * Longest wait of a fetch for a place, in milliseconds. Short, so that the caller can try another
   * replica.
   */
  maxWaitMs: number;
}

/** Bounds the open connections, so that a flood of slow hosts exhausts neither memory nor file handles. */
export interface ConnectionLimits {
  /**
   * Waits for a place and returns the function that releases it. Calls `makeRoom` if none is free. Rejects
   * with ApiError `overloaded` if too many wait or the wait is too long, and with the signal's reason.
   */
  acquire(partition: string, signal: AbortSignal, makeRoom: () => void): Promise<() => void>;
  /** True if a fetch waits: no connection may stay idle then. */
  readonly isContended: boolean;
}

/** Fetches that may wait per place: about as many as a place serves within the longest wait. */
const WAITING_PER_PLACE = 2;

/** Rejects as ConnectionLimits.acquire does. */
async function acquirePlace(
  semaphore: Semaphore,
  signal: AbortSignal,
  maxWaitMs: number,
  makeRoom: () => void,
): Promise<() => void> {
  signal.throwIfAborted();
  try {
    return await semaphore.acquire({ signal, maxWaitMs, onWait: makeRoom });
  } catch (error) {
    // A deadline that passes here says nothing about the host, which received no request.
    throw error instanceof DeadlineExceeded ? egressOverloaded() : error;
  }
}

function createSemaphore(places: number): Semaphore {
  return new Semaphore(places, places * WAITING_PER_PLACE, { createError: egressOverloaded });
}

/** Creates the limits, with no connection open. */
export function createConnectionLimits(options: ConnectionLimitsOptions): ConnectionLimits {
  const { maxConnections, maxPageConnections, maxWaitMs } = options;
  const all = createSemaphore(maxConnections);
  const pages = createSemaphore(maxPageConnections);
  return {
    get isContended() {
      return all.waiting > 0 || pages.waiting > 0;
    },
    async acquire(partition, signal, makeRoom) {
      const releasePage = partition === PAGES ? await acquirePlace(pages, signal, maxWaitMs, makeRoom) : null;
      try {
        const release = await acquirePlace(all, signal, maxWaitMs, makeRoom);
        return () => {
          release();
          releasePage?.();
        };
      } catch (error) {
        releasePage?.();
        throw error;
      }
    },
  };
}
