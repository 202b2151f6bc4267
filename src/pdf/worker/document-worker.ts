import { WorkerPool, WorkerQueue, type JobOptions, type WorkerQueueOptions } from '#concurrency';
import { listTransferables, type JobMessage, type JobName, type WorkerJobs } from './worker-jobs.ts';

type Output = WorkerJobs[JobName]['output'];

const THREAD = {
  module: new URL('./worker-jobs.ts', import.meta.url),
  // A job may take until the deadline of its document, which is a reason to abort it.
  endsOnAbort: true,
};

const PREPARING: WorkerQueueOptions = { ...THREAD, name: 'pdf documents', heapMb: 256, idleMs: 10_000 };
/** The heap of a thread that finishes PDFs, of which there is one for each slot at most. */
export const FINISHING_HEAP_MB = 512;
/**
 * Loading the PDF library takes longer than most jobs: a thread keeps it for a minute. The library keeps each
 * name and reference that it ever made, so that a thread ends before these fill its heap.
 */
const FINISHING: WorkerQueueOptions = {
  ...THREAD,
  name: 'pdf finishing',
  heapMb: FINISHING_HEAP_MB,
  maxIdleHeapMb: 256,
  idleMs: 60_000,
};

/** Runs the work on large documents, and all that needs the PDF library, in threads. */
export class DocumentWorker {
  /** Prepares documents, which takes milliseconds: one after the other. */
  readonly #preparing: WorkerQueue<JobMessage, Output>;
  /** Finishes PDFs, which may take seconds: each in its own thread. There are as many as render slots. */
  readonly #finishing: WorkerPool<JobMessage, Output>;

  /** `overrides`: what tests replace. */
  constructor(overrides: Partial<WorkerQueueOptions> = {}) {
    this.#preparing = new WorkerQueue({ ...PREPARING, ...overrides });
    this.#finishing = new WorkerPool({ ...FINISHING, ...overrides });
  }

  /** The number of threads that run. */
  get threads(): number {
    return Number(this.#preparing.isRunning) + this.#finishing.threads;
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
    const job: JobMessage = { name, input };
    const options: JobOptions = { transfer: listTransferables(input), signal };
    return name === 'finishPdf' ? this.#finishing.run(job, options) : this.#preparing.run(job, options);
  }

  /** Ends the threads; jobs in progress fail. */
  async close(): Promise<void> {
    await Promise.all([this.#preparing.close(), this.#finishing.close()]);
  }
}
