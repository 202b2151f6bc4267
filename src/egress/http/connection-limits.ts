import { createTurns, type Turns } from '../concurrency/semaphore.ts';
import { DeadlineExceeded } from '../concurrency/deadline.ts';
import { egressOverloaded } from '../guard/refusal.ts';

/** The partition of page fetches, which leave some connections to everything else. */
export const PAGES = 'pages';

export interface ConnectionLimitsOptions {
  /** Connections over all hosts, whoever asks. */
  maxConnections: number;
  /** Of these, how many pages may take. */
  maxPageConnections: number;
  /** How long a fetch waits for a place at most: it should hear of it while there is time to ask elsewhere. */
  maxWaitMs: number;
}

/** How many connections are open at a time, so that a flood of slow hosts costs neither the memory nor the file handles of this process. */
export interface ConnectionLimits {
  /**
   * Waits for a place and gives the function that frees it. `makeRoom` is called where none is free.
   * Rejects with ApiError `overloaded` where too many wait, or it takes too long, and with the signal's reason where the caller leaves.
   */
  take(partition: string, signal: AbortSignal, makeRoom: () => void): Promise<() => void>;
  /** Whether anyone waits: then no connection may stay open for nothing. */
  readonly isContended: boolean;
}

/** So many may wait for each place: about what the places can serve within the longest wait. */
const WAITING_PER_PLACE = 2;

async function takeTurn(
  turns: Turns,
  maxWaitMs: number,
  signal: AbortSignal,
  makeRoom: () => void,
): Promise<() => void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isMine = false;
  const end = turns.take(() => {
    isMine = true;
    resolve();
  });
  if (end === null) throw egressOverloaded();
  if (isMine) return end;
  makeRoom();
  const timer = setTimeout(() => reject(egressOverloaded()), maxWaitMs);
  // A deadline that comes first says nothing of the host, which has not been asked.
  const onAbort = () =>
    reject(signal.reason instanceof DeadlineExceeded ? egressOverloaded() : signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await promise;
    return end;
  } catch (error) {
    end();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Nothing is open yet. */
export function createConnectionLimits(options: ConnectionLimitsOptions): ConnectionLimits {
  const { maxConnections, maxPageConnections, maxWaitMs } = options;
  const all = createTurns(maxConnections, maxConnections * WAITING_PER_PLACE);
  const pages = createTurns(maxPageConnections, maxPageConnections * WAITING_PER_PLACE);
  return {
    get isContended() {
      return all.waiting > 0 || pages.waiting > 0;
    },
    async take(partition, signal, makeRoom) {
      const endPage = partition === PAGES ? await takeTurn(pages, maxWaitMs, signal, makeRoom) : null;
      try {
        const end = await takeTurn(all, maxWaitMs, signal, makeRoom);
        return () => {
          end();
          endPage?.();
        };
      } catch (error) {
        endPage?.();
        throw error;
      }
    },
  };
}
