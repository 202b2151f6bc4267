import { WorkerFailure, WorkerQueue, type WorkerQueueOptions } from '#concurrency';
import { ApiError } from '#errors';
import { type ParseOutcome, type ParseTask, releaseBytes } from './body-format.ts';

/** Room for the text of the longest body and its longest member, each at two bytes per character. */
const MAX_HEAP_MB = 384;
const IDLE_MS = 10_000;
const MAX_TASK_MS = 30_000;

/** Parses large bodies in a worker thread, one at a time and in their order. */
export class ParseQueue {
  readonly #queue: WorkerQueue<ParseTask, ParseOutcome>;

  /** `overrides`: what tests replace. */
  constructor(overrides: Partial<WorkerQueueOptions> = {}) {
    this.#queue = new WorkerQueue({
      module: new URL('./parse-worker.ts', import.meta.url),
      name: 'parse-body',
      heapMb: MAX_HEAP_MB,
      idleMs: IDLE_MS,
      maxJobMs: MAX_TASK_MS,
      // Parsing is short: starting another thread would take longer than the rest of the task.
      endsOnAbort: false,
      ...overrides,
    });
  }

  /**
   * Parses and validates a body, whose bytes then belong to the worker. Aborting cancels the task. Rejects
   * with ApiError, or with the reason of the signal.
   */
  async run(task: ParseTask, signal?: AbortSignal): Promise<unknown> {
    const transfer = [task.bytes.buffer as ArrayBuffer];
    let outcome: ParseOutcome;
    try {
      outcome = await this.#queue.run(task, { transfer, signal });
    } catch (error) {
      releaseBytes(task.bytes);
      throw error instanceof WorkerFailure ? toApiError(error) : error;
    }
    if ('value' in outcome) return outcome.value;
    const { code, message, param, retryAfterSeconds } = outcome.fault;
    throw new ApiError(code, message, {
      ...(param !== undefined && { param }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }

  /** Ends the worker. Tasks that have not finished fail. */
  async close(): Promise<void> {
    await this.#queue.close();
  }
}

function toApiError(failure: WorkerFailure): ApiError {
  if (failure.reason === 'closed') return new ApiError('unavailable');
  return failure.reason === 'memory'
    ? new ApiError('invalid_json', 'The body holds more than this operation can take: send less.', {
        cause: failure,
      })
    : new ApiError('internal', undefined, { cause: failure });
}
