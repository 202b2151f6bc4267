import { WorkerQueue, type WorkerQueueOptions } from '#concurrency';
import { listTransferables, type JobMessage, type JobName, type WorkerJobs } from './worker-jobs.ts';

const IDLE_MS = 10_000;
const HEAP_MB = 256;

/** Runs the work on large documents in one thread, one job at a time, in the order of the calls. */
export class DocumentWorker {
  readonly #queue: WorkerQueue<JobMessage, WorkerJobs[JobName]['output']>;

  /** `overrides`: what tests replace. */
  constructor(overrides: Partial<WorkerQueueOptions> = {}) {
    this.#queue = new WorkerQueue({
      module: new URL('./document-worker-thread.ts', import.meta.url),
      name: 'pdf documents',
      heapMb: HEAP_MB,
      idleMs: IDLE_MS,
      // A job may take until the deadline of its document, which is a reason to abort it.
      endsOnAbort: true,
      ...overrides,
    });
  }

  /** True if the thread runs. */
  get isRunning(): boolean {
    return this.#queue.isRunning;
  }

  /**
   * Runs a job. Takes over the large buffers of its input: the caller's become empty. Rejects with
   * WorkerFailure, or with the signal's reason. An abort ends the thread if the job has begun.
   */
  run<N extends JobName>(
    name: N,
    input: WorkerJobs[N]['input'],
    signal: AbortSignal,
  ): Promise<WorkerJobs[N]['output']> {
    return this.#queue.run({ name, input }, { transfer: listTransferables(input), signal });
  }

  /** Ends the thread; jobs in progress fail. */
  async close(): Promise<void> {
    await this.#queue.close();
  }
}
