import { joinSignals, WorkerFailure, WorkerPool, type WorkerOptions } from '#concurrency';
import { ApiError } from '#errors';
import type { FillJob, FillOutcome } from './fill-texts.ts';
import { HEAP_MB, MAX_FILL_MS, YOUNG_HEAP_MB } from './template-fault.ts';

const IDLE_MS = 10_000;
const NO_JOB: FillJob = { texts: [], data: {}, now: 0 };

/**
 * Fills templates in threads, one for each request at a time: a template that loops keeps no other waiting.
 * The slots of renders bound how many there are.
 */
export class TemplateThreads {
  readonly #pool: WorkerPool<FillJob, FillOutcome>;

  /** `overrides`: what tests replace. */
  constructor(overrides: Partial<WorkerOptions> = {}) {
    this.#pool = new WorkerPool({
      module: new URL('./fill-texts.ts', import.meta.url),
      name: 'pdf templates',
      heapMb: HEAP_MB - YOUNG_HEAP_MB,
      youngHeapMb: YOUNG_HEAP_MB,
      idleMs: IDLE_MS,
      ...overrides,
    });
  }

  /** The number of threads that run. */
  get threads(): number {
    return this.#pool.threads;
  }

  /**
   * Fills the templates of a request. Throws ApiError after 1 s of work or if they fill the memory,
   * WorkerFailure, and the signal's reason; the thread is then ended.
   */
  run(job: FillJob, signal: AbortSignal): Promise<FillOutcome> {
    return this.#pool.use(async (thread) => {
      // The time that a thread takes to start does not count as a template's.
      if (!thread.isRunning) await thread.run(NO_JOB, { signal });
      const limit = joinSignals([signal]);
      // After a long turn of the main thread, timers run before the messages that have arrived.
      const timer = setTimeout(
        () => setImmediate(() => limit.abort(createFault('timeout', TOO_LONG))),
        MAX_FILL_MS,
      );
      try {
        return await thread.run(job, { signal: limit.signal });
      } catch (error) {
        const isFull = error instanceof WorkerFailure && error.reason === 'memory';
        throw isFull ? createFault('render_failed', TOO_LARGE, error) : error;
      } finally {
        clearTimeout(timer);
        limit.close();
      }
    });
  }

  /** Ends all threads; jobs in progress fail. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

const TOO_LONG = `The templates take longer than ${MAX_FILL_MS / 1_000} s: loop less, or compute it before you send data.`;
const TOO_LARGE = `The templates take more than ${HEAP_MB} MiB of memory: make their lists and texts smaller.`;

function createFault(code: 'render_failed' | 'timeout', message: string, cause?: Error): ApiError {
  return new ApiError(code, message, { param: 'template', cause });
}
