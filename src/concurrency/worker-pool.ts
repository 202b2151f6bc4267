import { WorkerFailure, WorkerQueue, type JobOptions, type WorkerQueueOptions } from './worker-queue.ts';

/**
 * Runs each job in a thread of its own, so that none waits for another: the caller bounds how many run at
 * once. A job takes the thread that was used last, so that those of a busy time end when they are idle.
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

  /** Ends the threads. Jobs in progress fail, and later ones. */
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
