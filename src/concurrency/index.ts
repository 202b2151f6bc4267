/**
 * Bounds how many tasks run at once: a semaphore, a queue over a thread, a pool of threads. Fair shares
 * between accounts, with lending and reclaiming, are in `shares/`; the time of the main thread is in
 * `event-loop/`.
 */
export { Semaphore } from './semaphore.ts';
export { WorkerFailure, WorkerQueue } from './worker-queue.ts';
export type { JobOptions, WorkerQueueOptions } from './worker-queue.ts';
export { serveJobs } from './serve-jobs.ts';
export { WorkerPool } from './worker-pool.ts';
