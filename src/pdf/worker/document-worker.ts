import { Worker } from 'node:worker_threads';
import {
  listTransferables,
  type JobMessage,
  type JobName,
  type JobReply,
  type WorkerJobs,
} from './worker-jobs.ts';

/** A job failed in the worker thread. */
export class DocumentWorkerError extends Error {
  override name = 'DocumentWorkerError';
  readonly reason: 'memory' | 'failed';

  constructor(reason: 'memory' | 'failed', cause: unknown) {
    super(`the document worker: ${reason}`, { cause });
    this.reason = reason;
  }
}

interface Job {
  message: JobMessage;
  resolve: (output: WorkerJobs[JobName]['output']) => void;
  reject: (error: unknown) => void;
}

interface DocumentWorkerOptions {
  /** The thread ends after this time without a job. */
  idleMs?: number;
  /** The heap of the thread, in MiB. */
  heapMb?: number;
}

const ENTRY = new URL('./document-worker-thread.ts', import.meta.url);
const IDLE_MS = 10_000;
/** Buffers are not part of the heap. */
const HEAP_MB = 256;

/**
 * Runs the work on large documents in one thread, one job at a time, in the order of the calls. The thread
 * starts with the first job. If it ends, its job fails and the next job starts a new thread.
 */
export class DocumentWorker {
  readonly #idleMs: number;
  readonly #heapMb: number;
  #thread: Worker | null = null;
  #running: Job | null = null;
  #waiting: Job[] = [];
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ idleMs = IDLE_MS, heapMb = HEAP_MB }: DocumentWorkerOptions = {}) {
    this.#idleMs = idleMs;
    this.#heapMb = heapMb;
  }

  /** True if the thread runs. */
  get isRunning(): boolean {
    return this.#thread !== null;
  }

  /**
   * Runs a job. Takes over the large buffers of its input: the caller's become empty. Rejects with
   * DocumentWorkerError, or with the signal's reason. An abort ends the thread if the job has begun.
   */
  async run<N extends JobName>(
    name: N,
    input: WorkerJobs[N]['input'],
    signal: AbortSignal,
  ): Promise<WorkerJobs[N]['output']> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new DocumentWorkerError('failed', 'closed');
    const { promise, resolve, reject } = Promise.withResolvers<WorkerJobs[JobName]['output']>();
    const job: Job = { message: { name, input }, resolve, reject };
    const onAbort = (): void => this.#drop(job, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(job);
    this.#startNext();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends the thread; jobs in progress fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.reject(new DocumentWorkerError('failed', 'closed'));
    const thread = this.#thread;
    this.#endThread(new DocumentWorkerError('failed', 'closed'));
    await thread?.terminate();
  }

  #startNext(): void {
    if (this.#running) return;
    const job = this.#waiting.shift();
    if (!job) {
      this.#idleTimer = setTimeout(() => this.#endThread(null), this.#idleMs).unref();
      this.#thread?.unref();
      return;
    }
    clearTimeout(this.#idleTimer);
    this.#running = job;
    try {
      this.#thread ??= this.#openThread();
      this.#thread.ref();
      this.#thread.postMessage(job.message, listTransferables(job.message));
    } catch (error) {
      this.#endThread(new DocumentWorkerError('failed', error));
    }
  }

  #openThread(): Worker {
    const thread = new Worker(ENTRY, {
      name: 'pdf documents',
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMb },
    });
    // A thread that was ended may still send events.
    const onEnd = (error: unknown): void => {
      if (this.#thread === thread) this.#endThread(toWorkerError(error));
    };
    thread.on('message', (reply: JobReply) => {
      if (this.#thread === thread) this.#finish(reply);
    });
    thread.on('error', onEnd);
    thread.on('messageerror', onEnd);
    thread.on('exit', onEnd);
    return thread;
  }

  #finish(reply: JobReply): void {
    const job = this.#running;
    this.#running = null;
    if ('error' in reply) job?.reject(new DocumentWorkerError('failed', reply.error));
    else job?.resolve(reply.output);
    this.#startNext();
  }

  /** Ends the thread and fails its job with `error`. */
  #endThread(error: unknown): void {
    const job = this.#running;
    const thread = this.#thread;
    clearTimeout(this.#idleTimer);
    this.#running = null;
    this.#thread = null;
    void thread?.terminate();
    job?.reject(error);
    if (this.#waiting.length > 0) this.#startNext();
  }

  #drop(job: Job, reason: unknown): void {
    if (this.#running === job) {
      this.#endThread(reason);
      return;
    }
    const index = this.#waiting.indexOf(job);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    job.reject(reason);
  }
}

function toWorkerError(error: unknown): DocumentWorkerError {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return new DocumentWorkerError(isMemory ? 'memory' : 'failed', error);
}
