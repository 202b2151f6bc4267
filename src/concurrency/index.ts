/**
 * Limits work in time and number: aborts it at a deadline or by a signal, bounds how many tasks run in
 * parallel (a semaphore, the places at a host, a pool of threads), and shares the time of the main thread
 * among everything that runs on it. Fair shares among accounts are in `limits/`.
 */
export {
  DeadlineExceeded,
  joinSignals,
  onAbort,
  openDeadline,
  resolvesWithin,
  untilAborted,
} from './deadline.ts';
export type { AbortHandle } from './deadline.ts';
export { Semaphore } from './semaphore.ts';
export { HostPlaces, MAX_WAITING_PER_CLIENT } from './host-places.ts';
export type { Hold, Placed, PlaceFault, PlaceRequest } from './host-places.ts';
export { WorkerFailure, WorkerPool } from './worker-pool.ts';
export type { WorkerOptions } from './worker-pool.ts';
export { serveJobs } from './serve-jobs.ts';

export { ClientQueue, hasTurnTime, startInTurn, continueInTurn, workInTurn } from './turns.ts';
export { runInSlices } from './turns.ts';
