import { joinSignals, WorkerPool, type WorkerQueue, type WorkerQueueOptions } from '#concurrency';
import type { FillJob, FillOutcome } from './fill-texts.ts';
import { HEAP_MB, MAX_FILL_MS, YOUNG_HEAP_MB } from './template-fault.ts';

const IDLE_MS = 10_000;
const NO_JOB: FillJob = { texts: [], data: {}, now: 0 };

/** The reason to end a thread whose templates take too long. */
export class TemplatesLateError extends Error {
  override name = 'TemplatesLateError';
}

/**
 * Fills templates in threads, one for each request at a time: a template that loops keeps no other waiting.
 * The slots of renders bound how many there are.
 */
export class TemplateThreads {
  readonly #pool: WorkerPool<FillJob, FillOutcome>;

  /** `overrides`: what tests replace. */
  constructor(overrides: Partial<WorkerQueueOptions> = {}) {
    this.#pool = new WorkerPool({
      module: new URL('./fill-texts.ts', import.meta.url),
      name: 'pdf templates',
      heapMb: HEAP_MB - YOUNG_HEAP_MB,
      youngHeapMb: YOUNG_HEAP_MB,
      idleMs: IDLE_MS,
      endsOnAbort: true,
      ...overrides,
    });
  }

  /** The number of threads that run. */
  get threads(): number {
    return this.#pool.threads;
  }

  /**
   * Fills the templates of a request. Rejects with TemplatesLateError after 1 s of work, with WorkerFailure,
   * or with the signal's reason; the thread is then ended.
   */
  async run(job: FillJob, signal: AbortSignal): Promise<FillOutcome> {
    return this.#pool.use(async (thread) => {
      // The time that a thread takes to start does not count as a template's.
      if (!thread.isRunning) await thread.run(NO_JOB, { signal });
      return await runInTime(thread, job, signal);
    });
  }

  /** Ends all threads; jobs in progress fail. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

async function runInTime(
  thread: WorkerQueue<FillJob, FillOutcome>,
  job: FillJob,
  signal: AbortSignal,
): Promise<FillOutcome> {
  const limit = joinSignals([signal]);
  // After a long turn of the main thread, timers run before the messages that have arrived.
  const timer = setTimeout(() => setImmediate(() => limit.abort(new TemplatesLateError())), MAX_FILL_MS);
  try {
    return await thread.run(job, { signal: limit.signal });
  } finally {
    clearTimeout(timer);
    limit.close();
  }
}
