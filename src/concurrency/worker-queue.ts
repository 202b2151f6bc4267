import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { onAbort } from './deadline.ts';
import { Semaphore } from './semaphore.ts';
import type { JobReply } from './serve-jobs.ts';

/**
 * `closed`: the queue was closed. `late`: the job took longer than `maxJobMs`. `memory`: it filled the heap.
 * `failed`: it threw, or its thread ended.
 */
export type WorkerFailureReason = 'closed' | 'late' | 'memory' | 'failed';

const MIB = 1024 * 1024;

/** The error of a job without a result. */
export class WorkerFailure extends Error {
  override name = 'WorkerFailure';
  readonly reason: WorkerFailureReason;

  constructor(reason: WorkerFailureReason, cause?: unknown) {
    super(`worker thread: ${reason}`, { cause });
    this.reason = reason;
  }
}

export interface WorkerQueueOptions {
  /** The module of the thread. It calls `serveJobs`. */
  module: URL;
  /** The name of the thread, for debuggers. */
  name: string;
  /** The heap of the thread, in MiB. Buffers are not part of it. */
  heapMb: number;
  /** The memory for new objects in MiB, in addition to `heapMb`; V8's default if absent. */
  youngHeapMb?: number;
  /**
   * The thread ends after a job that leaves more than this in its heap, in MiB: the next job would have too
   * little. Unlimited by default.
   */
  maxIdleHeapMb?: number;
  /** The thread ends after this time without a job, and its memory returns to the system. */
  idleMs: number;
  /** The longest duration of a job; unlimited by default. */
  maxJobMs?: number;
  /** True if an abort ends the thread. Otherwise the job continues, and its result is discarded. */
  endsOnAbort: boolean;
}

export interface JobOptions {
  /** Buffers of the message that are moved to the thread instead of cloned. */
  transfer?: ArrayBuffer[];
  /** Aborting cancels the job: it leaves the queue, or ends as `endsOnAbort` says. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs jobs in one thread, one at a time and in the order of the calls. The thread starts with the first job.
 * If it ends, its job fails and the next job starts another thread.
 */
export class WorkerQueue<Message, Output> {
  readonly #options: WorkerQueueOptions;
  readonly #semaphore = new Semaphore(1, Infinity);
  #thread: Worker | null = null;
  #job: PromiseWithResolvers<Output> | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: WorkerQueueOptions) {
    this.#options = options;
  }

  /** True if the thread runs. */
  get isRunning(): boolean {
    return this.#thread !== null;
  }

  /** Runs a job. Rejects with WorkerFailure, or with the signal's reason. */
  async run(message: Message, { transfer = [], signal }: JobOptions = {}): Promise<Output> {
    if (this.#isClosed) throw new WorkerFailure('closed');
    signal?.throwIfAborted();
    // A free thread starts the job immediately.
    const release = this.#semaphore.tryAcquireNow() ?? (await this.#semaphore.acquire({ signal }));
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    const running = this.#runInThread(message, transfer, signal);
    const stopListening = onAbort(signal, (reason) => {
      reject(reason);
      if (this.#options.endsOnAbort && this.#job !== null) this.#endThread(reason);
    });
    void running.then(resolve, reject).finally(() => {
      stopListening();
      release();
    });
    return promise;
  }

  /** Ends the thread. The running job and the waiting jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    this.#endThread(new WorkerFailure('closed'));
    await thread?.terminate();
  }

  async #runInThread(
    message: Message,
    transfer: ArrayBuffer[],
    signal: AbortSignal | undefined,
  ): Promise<Output> {
    if (this.#isClosed) throw new WorkerFailure('closed');
    signal?.throwIfAborted();
    const { maxJobMs, idleMs } = this.#options;
    clearTimeout(this.#idleTimer);
    const job = Promise.withResolvers<Output>();
    this.#job = job;
    const timer =
      maxJobMs === undefined
        ? undefined
        : setTimeout(() => this.#endThread(new WorkerFailure('late')), maxJobMs);
    try {
      this.#post(message, transfer);
      return await job.promise;
    } finally {
      clearTimeout(timer);
      this.#job = null;
      this.#thread?.unref();
      this.#idleTimer = setTimeout(() => this.#endThread(null), idleMs).unref();
    }
  }

  #post(message: Message, transfer: ArrayBuffer[]): void {
    try {
      this.#thread ??= this.#openThread();
      this.#thread.ref();
      this.#thread.postMessage(message, transfer);
    } catch (error) {
      this.#endThread(new WorkerFailure('failed', error));
    }
  }

  #openThread(): Worker {
    const { module, name, heapMb, youngHeapMb, maxIdleHeapMb = Infinity } = this.#options;
    const thread = new Worker(module, {
      name,
      env: getThreadEnvironment(),
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: heapMb,
        ...(youngHeapMb !== undefined && { maxYoungGenerationSizeMb: youngHeapMb }),
      },
    });
    // A thread that was ended may still send events.
    const onEnd = (cause: unknown): void => {
      if (this.#thread === thread) this.#endThread(toFailure(cause));
    };
    thread.on('message', (reply: JobReply<Output>) => {
      if (this.#thread !== thread) return;
      if ('error' in reply) this.#job?.reject(new WorkerFailure('failed', reply.error));
      else this.#job?.resolve(reply.output);
      if (reply.heapBytes > maxIdleHeapMb * MIB) this.#endThread(null);
    });
    thread.on('messageerror', onEnd);
    thread.on('error', onEnd);
    thread.on('exit', (code) => onEnd(new Error(`the thread ended with code ${code}`)));
    return thread;
  }

  /** Ends the thread, and fails its job with `error`. */
  #endThread(error: unknown): void {
    const thread = this.#thread;
    this.#thread = null;
    clearTimeout(this.#idleTimer);
    void thread?.terminate();
    this.#job?.reject(error);
  }
}

/**
 * Returns the environment of a thread: the compile cache, without which it would compile its modules at each
 * start, and none of the process's secrets.
 */
function getThreadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  // Node appends a folder for its version to NODE_COMPILE_CACHE.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

function toFailure(cause: unknown): WorkerFailure {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return new WorkerFailure(isMemory ? 'memory' : 'failed', cause);
}

/**
 * Runs each job in a thread of its own, so that no job waits for another; the caller bounds how many run at a
 * time. A job takes the most recently used thread, so that the threads of a busy time become idle and end.
 */
export class WorkerPool<Message, Output> {
  readonly #options: WorkerQueueOptions;
  /** Free queues, last used last. A queue whose thread ended starts another. */
  readonly #free: WorkerQueue<Message, Output>[] = [];
  readonly #all: WorkerQueue<Message, Output>[] = [];
  #isClosed = false;

  constructor(options: WorkerQueueOptions) {
    this.#options = options;
  }

  /** The number of threads that run. */
  get threads(): number {
    return this.#all.filter(({ isRunning }) => isRunning).length;
  }

  /** Runs a job. Rejects with WorkerFailure, or with the signal's reason. */
  async run(message: Message, options?: JobOptions): Promise<Output> {
    return this.use((queue) => queue.run(message, options));
  }

  /** Gives `work` a thread for jobs one after another. Rejects as `work` does, or with WorkerFailure. */
  async use<T>(work: (queue: WorkerQueue<Message, Output>) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new WorkerFailure('closed');
    const queue = this.#free.pop() ?? this.#open();
    try {
      return await work(queue);
    } finally {
      this.#free.push(queue);
    }
  }

  /** Ends the threads. Jobs in progress and later jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#all.map((queue) => queue.close()));
  }

  #open(): WorkerQueue<Message, Output> {
    const queue = new WorkerQueue<Message, Output>(this.#options);
    this.#all.push(queue);
    return queue;
  }
}
