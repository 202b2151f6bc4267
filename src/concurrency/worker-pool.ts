import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { onAbort } from './deadline.ts';
import type { JobReply } from './serve-jobs.ts';

/**
 * `closed`: the pool was closed. `late`: the job took longer than `maxJobMs`. `memory`: it filled the heap.
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

export interface WorkerOptions {
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
}

export interface JobOptions {
  /** Buffers of the message that are moved to the thread instead of cloned. */
  transfer?: ArrayBuffer[];
  /** Aborting ends the thread with its job. */
  signal?: AbortSignal | undefined;
  /** Called with the CPU time of a job that the thread has answered, in milliseconds. */
  onCpu?: (ms: number) => void;
}

/**
 * A thread that runs one job at a time. It starts with the first job. If it ends, its job fails and the next
 * job starts another.
 */
export class WorkerThread<Message, Output> {
  readonly #options: WorkerOptions;
  #thread: Worker | null = null;
  #job: (PromiseWithResolvers<Output> & Pick<JobOptions, 'onCpu'>) | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** True if the thread runs. */
  get isRunning(): boolean {
    return this.#thread !== null;
  }

  /** Runs a job after the one before has ended. Rejects with WorkerFailure, or with the signal's reason. */
  async run(message: Message, { transfer = [], signal, onCpu }: JobOptions = {}): Promise<Output> {
    if (this.#isClosed) throw new WorkerFailure('closed');
    signal?.throwIfAborted();
    const { maxJobMs, idleMs } = this.#options;
    clearTimeout(this.#idleTimer);
    const job = { ...Promise.withResolvers<Output>(), ...(onCpu && { onCpu }) };
    this.#job = job;
    const timer =
      maxJobMs === undefined
        ? undefined
        : setTimeout(() => this.#endThread(new WorkerFailure('late')), maxJobMs);
    const stopListening = onAbort(signal, (reason) => this.#endThread(reason));
    try {
      this.#post(message, transfer);
      return await job.promise;
    } finally {
      clearTimeout(timer);
      stopListening();
      this.#job = null;
      this.#thread?.unref();
      this.#idleTimer = setTimeout(() => this.#endThread(null), idleMs).unref();
    }
  }

  /** Ends the thread. Its job fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    this.#endThread(new WorkerFailure('closed'));
    await thread?.terminate();
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
      this.#job?.onCpu?.(reply.cpuMs);
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
  readonly #options: WorkerOptions;
  /** Free threads, last used last. */
  readonly #free: WorkerThread<Message, Output>[] = [];
  readonly #all: WorkerThread<Message, Output>[] = [];
  #isClosed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** The number of threads that run. */
  get threads(): number {
    return this.#all.filter(({ isRunning }) => isRunning).length;
  }

  /** Runs a job. Rejects with WorkerFailure, or with the signal's reason. */
  async run(message: Message, options?: JobOptions): Promise<Output> {
    return this.use((thread) => thread.run(message, options));
  }

  /** Gives `work` a thread for jobs one after another. Rejects as `work` does, or with WorkerFailure. */
  async use<T>(work: (thread: WorkerThread<Message, Output>) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new WorkerFailure('closed');
    const thread = this.#free.pop() ?? this.#open();
    try {
      return await work(thread);
    } finally {
      this.#free.push(thread);
    }
  }

  /** Ends the threads. Jobs in progress and later jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#all.map((thread) => thread.close()));
  }

  #open(): WorkerThread<Message, Output> {
    const thread = new WorkerThread<Message, Output>(this.#options);
    this.#all.push(thread);
    return thread;
  }
}
