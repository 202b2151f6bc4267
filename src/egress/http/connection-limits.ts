import { Semaphore } from '../concurrency/semaphore.ts';
import { DeadlineExceeded } from '../concurrency/deadline.ts';
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

async function acquirePlace(
  semaphore: Semaphore,
  maxWaitMs: number,
  signal: AbortSignal,
  makeRoom: () => void,
): Promise<() => void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isAcquired = false;
  const release = semaphore.tryAcquire(() => {
    isAcquired = true;
    resolve();
  });
  if (release === null) throw egressOverloaded();
  if (isAcquired) return release;
  makeRoom();
  const timer = setTimeout(() => reject(egressOverloaded()), maxWaitMs);
  // A deadline that passes here says nothing about the host, which received no request.
  const onAbort = () =>
    reject(signal.reason instanceof DeadlineExceeded ? egressOverloaded() : signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await promise;
    return release;
  } catch (error) {
    release();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Creates the limits, with no connection open. */
export function createConnectionLimits(options: ConnectionLimitsOptions): ConnectionLimits {
  const { maxConnections, maxPageConnections, maxWaitMs } = options;
  const all = new Semaphore(maxConnections, maxConnections * WAITING_PER_PLACE);
  const pages = new Semaphore(maxPageConnections, maxPageConnections * WAITING_PER_PLACE);
  return {
    get isContended() {
      return all.waiting > 0 || pages.waiting > 0;
    },
    async acquire(partition, signal, makeRoom) {
      const releasePage = partition === PAGES ? await acquirePlace(pages, maxWaitMs, signal, makeRoom) : null;
      try {
        const release = await acquirePlace(all, maxWaitMs, signal, makeRoom);
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
