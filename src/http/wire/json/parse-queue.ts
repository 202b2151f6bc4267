import { untilAborted, WorkerFailure, type WorkerOptions, WorkerPool } from '#concurrency';
import { ApiError } from '#errors';
import type { ShareHolder, Shares } from '#limits';
import { type ParseOutcome, type ParseTask, releaseBytes } from './body-format.ts';

/** Room for the text of the longest body and its longest member, each at two bytes per character. */
const MAX_HEAP_MB = 384;
const IDLE_MS = 10_000;
/** The longest body takes 0.3 s of CPU time; more passes on a busy machine, and while a thread starts. */
const MAX_TASK_MS = 15_000;

/**
 * Parses large bodies in threads. A body waits for a share of its account: the account that used the least
 * CPU time in the last minute is next, and one thread stays free for accounts that use none.
 */
export class ParseQueue {
  readonly #shares: Pick<Shares, 'acquire'>;
  readonly #pool: WorkerPool<ParseTask, ParseOutcome>;

  /** `overrides`: what tests replace. */
  constructor(shares: Pick<Shares, 'acquire'>, overrides: Partial<WorkerOptions> = {}) {
    this.#shares = shares;
    this.#pool = new WorkerPool({
      module: new URL('./parse-worker.ts', import.meta.url),
      name: 'parse-body',
      heapMb: MAX_HEAP_MB,
      idleMs: IDLE_MS,
      maxJobMs: MAX_TASK_MS,
      ...overrides,
    });
  }

  /**
   * Parses and validates a body, whose bytes then belong to a thread. Aborting cancels the task. Rejects with
   * ApiError, or with the reason of the signal.
   */
  async run(task: ParseTask, holder: ShareHolder, signal?: AbortSignal): Promise<unknown> {
    let outcome: ParseOutcome;
    try {
      // The parsing continues after an abort: starting another thread would take longer than the rest of it.
      outcome = await untilAborted(this.#parse(task, holder, signal), signal);
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

  /** Ends the threads. Tasks that have not finished fail. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #parse(task: ParseTask, holder: ShareHolder, signal?: AbortSignal): Promise<ParseOutcome> {
    const place = await this.#shares.acquire('parserThreads', holder, { signal });
    let cpuMs: number | undefined;
    try {
      const transfer = [task.bytes.buffer as ArrayBuffer];
      return await this.#pool.run(task, { transfer, onCpu: (ms) => (cpuMs = ms) });
    } finally {
      place.release(cpuMs);
    }
  }
}

function toApiError(failure: WorkerFailure): ApiError {
  if (failure.reason === 'closed') return new ApiError('unavailable');
  if (failure.reason === 'late')
    return new ApiError(
      'timeout',
      `The body takes longer than ${MAX_TASK_MS / 1000} s to parse: send less.`,
      { cause: failure },
    );
  return failure.reason === 'memory'
    ? new ApiError('invalid_json', 'The body holds more than this operation can take: send less.', {
        cause: failure,
      })
    : new ApiError('internal', undefined, { cause: failure });
}
