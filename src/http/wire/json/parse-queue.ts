import { Worker } from 'node:worker_threads';
import { ApiError } from '#errors';
import { releaseBytes } from './body-memory.ts';
import type { ParseOutcome, ParseTask } from './parse-messages.ts';

export interface ParseQueueOptions {
  /** The module of the worker. Tests replace it. */
  module?: URL;
  /** An unused worker ends after this time, and its memory returns to the system. */
  idleMs?: number;
  /** A task that takes longer fails, and the worker is replaced. */
  taskMs?: number;
}

/** Room for the text of the longest body and its longest member, each at two bytes per character. */
const MAX_HEAP_MB = 256;

interface Job {
  task: ParseTask;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * Runs parse tasks in a worker thread, one at a time and in their order. The worker starts with the first
 * task. If it dies, the running task fails and the next one starts another worker.
 */
export class ParseQueue {
  readonly #module: URL;
  readonly #idleMs: number;
  readonly #taskMs: number;
  readonly #waiting = new Set<Job>();
  #running: Job | null = null;
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({
    module = new URL('./parse-worker.ts', import.meta.url),
    idleMs = 10_000,
    taskMs = 30_000,
  }: ParseQueueOptions = {}) {
    this.#module = module;
    this.#idleMs = idleMs;
    this.#taskMs = taskMs;
  }

  /**
   * Parses and validates a body, whose bytes then belong to the worker. Aborting cancels the task. Rejects
   * with ApiError, or with the reason of the signal.
   */
  run(task: ParseTask, signal?: AbortSignal): Promise<unknown> {
    if (this.#isClosed || signal?.aborted) {
      releaseBytes(task.bytes);
      return Promise.reject(this.#isClosed ? new ApiError('unavailable') : (signal?.reason as Error));
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job = { task, resolve, reject };
    const onAbort = (): void => this.#cancel(job, signal?.reason as Error);
    signal?.addEventListener('abort', onAbort);
    this.#waiting.add(job);
    this.#startNext();
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  /** Ends the worker. Tasks that have not finished fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new ApiError('unavailable');
    for (const job of this.#waiting) this.#cancel(job, error);
    await this.#endWorker(error);
  }

  /** Cancels a task. If it is running it continues in the worker, and its result is ignored. */
  #cancel(job: Job, error: Error): void {
    if (this.#waiting.delete(job)) releaseBytes(job.task.bytes);
    job.reject(error);
  }

  #startNext(): void {
    const [job] = this.#waiting;
    if (job === undefined || this.#running !== null) return;
    this.#waiting.delete(job);
    this.#running = job;
    clearTimeout(this.#timer);
    const late = new Error(`a body was not parsed within ${this.#taskMs} ms`);
    this.#timer = setTimeout(() => void this.#endWorker(late), this.#taskMs);
    try {
      this.#worker ??= this.#startWorker();
      this.#worker.ref();
      this.#worker.postMessage(job.task, [job.task.bytes.buffer as ArrayBuffer]);
    } catch (error) {
      void this.#endWorker(error as Error);
    }
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#module, {
      name: 'parse-body',
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const fail = (error: Error): void => {
      if (this.#worker === worker) void this.#endWorker(error);
    };
    worker.on('message', (outcome: ParseOutcome) => {
      if (this.#worker === worker) this.#settle(outcome);
    });
    worker.on('messageerror', fail);
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`the parser's thread ended with code ${code}`)));
    return worker;
  }

  #settle(outcome: ParseOutcome): void {
    const job = this.#running;
    this.#running = null;
    clearTimeout(this.#timer);
    if ('value' in outcome) job?.resolve(outcome.value);
    else job?.reject(toError(outcome));
    if (this.#waiting.size > 0) return this.#startNext();
    this.#worker?.unref();
    this.#timer = setTimeout(() => void this.#endWorker(null), this.#idleMs).unref();
  }

  /** Ends the worker, rejects the running task with `error`, and starts the next one. */
  async #endWorker(error: Error | null): Promise<void> {
    const worker = this.#worker;
    const job = this.#running;
    this.#worker = null;
    this.#running = null;
    clearTimeout(this.#timer);
    if (error !== null) job?.reject(toFailure(error));
    if (!this.#isClosed) this.#startNext();
    await worker?.terminate();
  }
}

function toError(outcome: Exclude<ParseOutcome, { value: unknown }>): ApiError {
  if ('failure' in outcome) return toFailure(new Error(outcome.failure));
  const { code, message, param, retryAfterSeconds } = outcome.fault;
  return new ApiError(code, message, {
    ...(param !== undefined && { param }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function toFailure(cause: Error & { code?: string }): ApiError {
  if (cause instanceof ApiError) return cause;
  return cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new ApiError('invalid_json', 'The body holds more than this operation can take: send less.', { cause })
    : new ApiError('internal', undefined, { cause });
}
