import { WorkerQueue, type WorkerQueueOptions } from '#concurrency';
import type { FillJob, FillOutcome } from './fill-texts.ts';
import { HEAP_MB, MAX_FILL_MS, YOUNG_HEAP_MB } from './template-limits.ts';

const IDLE_MS = 10_000;
const NO_JOB: FillJob = { texts: [], data: {}, now: 0 };

/** The reason to end a thread whose templates take too long. */
export class TemplatesLateError extends Error {
  override name = 'TemplatesLateError';
}

type Thread = WorkerQueue<FillJob, FillOutcome>;

/**
 * Fills templates in threads, one for each request at a time: a template that loops keeps no other waiting.
 * There are as many as requests had templates at once, which the slots of renders bound. A thread ends after
 * 10 s without a template.
 */
export class TemplateThreads {
  readonly #overrides: Partial<WorkerQueueOptions>;
  readonly #all = new Set<Thread>();
  /** The one that was used last is last: it is used next, so that the others end. */
  readonly #free: Thread[] = [];

  /** `overrides`: what tests replace. */
  constructor(overrides: Partial<WorkerQueueOptions> = {}) {
    this.#overrides = overrides;
  }

  /** Returns how many threads run. */
  countRunning(): number {
    return [...this.#all].filter(({ isRunning }) => isRunning).length;
  }

  /**
   * Fills the templates of a request. Rejects with TemplatesLateError after 1 s of work, with WorkerFailure,
   * or with the signal's reason; the thread is then ended.
   */
  async run(job: FillJob, signal: AbortSignal): Promise<FillOutcome> {
    const thread = this.#free.pop() ?? this.#open();
    try {
      // The time that a thread takes to start is not that of a template.
      if (!thread.isRunning) await thread.run(NO_JOB, { signal });
      return await runInTime(thread, job, signal);
    } finally {
      this.#free.push(thread);
    }
  }

  /** Ends all threads; jobs in progress fail. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.close()));
  }

  #open(): Thread {
    const thread: Thread = new WorkerQueue({
      module: new URL('./template-thread.ts', import.meta.url),
      name: 'pdf templates',
      heapMb: HEAP_MB - YOUNG_HEAP_MB,
      youngHeapMb: YOUNG_HEAP_MB,
      idleMs: IDLE_MS,
      endsOnAbort: true,
      ...this.#overrides,
    });
    this.#all.add(thread);
    return thread;
  }
}

async function runInTime(thread: Thread, job: FillJob, signal: AbortSignal): Promise<FillOutcome> {
  const aborter = new AbortController();
  const onAbort = (): void => aborter.abort(signal.reason);
  // After a long turn of the main thread, timers run before the messages that have arrived.
  const timer = setTimeout(() => setImmediate(() => aborter.abort(new TemplatesLateError())), MAX_FILL_MS);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    return await thread.run(job, { signal: aborter.signal });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
