/**
 * Request coalescing: identical requests of one client in flight share one fetch. The first request starts
 * it, the others wait for the same result, each with its own deadline and signal.
 */
import { onAbort } from '#concurrency';
import { ApiError } from '#errors';
import type { PageMetadata } from './page-metadata.ts';

/** A fetch in progress. */
export interface Call {
  result: Promise<PageMetadata>;
  /** A result from what was read so far, or null if that is too little. */
  readonly partialResult: PageMetadata | null;
  /** The result lacks something for want of time. */
  readonly isShortOfTime: boolean;
}

/** One of the requests that wait for a call. */
interface Waiter {
  timeoutMs: number;
  /** Returns the time in milliseconds. */
  now: () => number;
  signal: AbortSignal | undefined;
}

/** Starts a call that has `timeoutMs` and ends when `signal` is aborted. */
type StartCall = (timeoutMs: number, signal: AbortSignal) => Call;

/**
 * A waiter with at least this much more time than the call had starts another call. Requests that arrive
 * together share what they get.
 */
const MIN_GAIN_MS = 500;

interface SharedCall {
  call: Call;
  controller: AbortController;
  deadline: number;
  waiters: number;
  isSettled: boolean;
}

/** The calls in flight, by key. One instance serves all clients, so the key must name the client. */
export class Singleflight {
  #calls = new Map<string, SharedCall>();

  /**
   * Returns the result of the call in flight under `key`, or of a new one. At the waiter's deadline it
   * resolves with the partial result or rejects with ApiError `timeout`. If the call was short of time and
   * the waiter has more, another call is started. The call is aborted when its last waiter is.
   */
  async run(key: string, waiter: Waiter, start: StartCall): Promise<PageMetadata> {
    const deadline = waiter.now() + waiter.timeoutMs;
    let short: PageMetadata | null = null;
    for (;;) {
      const remainingMs = deadline - waiter.now();
      const shared = this.#calls.get(key) ?? this.#start(key, remainingMs, deadline, start);
      const gainMs = deadline - shared.deadline;
      try {
        const result = await this.#wait(key, shared, waiter, remainingMs);
        if (!shared.call.isShortOfTime || gainMs < MIN_GAIN_MS || deadline <= waiter.now()) return result;
        short = result;
      } catch (error) {
        if (short !== null && error instanceof ApiError && waiter.signal?.aborted !== true) return short;
        // The call was given less time than this waiter has: another call can use the rest.
        const isTimeout = error instanceof ApiError && error.code === 'timeout';
        if (!isTimeout || gainMs <= 0 || deadline <= waiter.now()) throw error;
      }
      this.#forget(key, shared);
    }
  }

  #start(key: string, timeoutMs: number, deadline: number, start: StartCall): SharedCall {
    const controller = new AbortController();
    const shared: SharedCall = {
      call: start(timeoutMs, controller.signal),
      controller,
      deadline,
      waiters: 0,
      isSettled: false,
    };
    this.#calls.set(key, shared);
    const settle = () => {
      shared.isSettled = true;
      this.#forget(key, shared);
    };
    shared.call.result.then(settle, settle);
    return shared;
  }

  #wait(key: string, shared: SharedCall, waiter: Waiter, remainingMs: number): Promise<PageMetadata> {
    const { promise, resolve, reject } = Promise.withResolvers<PageMetadata>();
    shared.waiters++;
    shared.call.result.then(resolve, reject);
    const timer = setTimeout(() => {
      try {
        const { partialResult } = shared.call;
        if (partialResult === null) reject(targetTimeout(waiter.timeoutMs));
        else resolve(partialResult);
      } catch (error) {
        // An error thrown in a timer would not reach the waiter.
        reject(error);
      }
    }, remainingMs);
    const stopListening = onAbort(waiter.signal, reject);
    return promise.finally(() => {
      clearTimeout(timer);
      stopListening();
      if (--shared.waiters > 0 || shared.isSettled) return;
      this.#forget(key, shared);
      shared.controller.abort();
    });
  }

  #forget(key: string, shared: SharedCall): void {
    if (this.#calls.get(key) === shared) this.#calls.delete(key);
  }
}

/** Returns the 408 for a page whose head did not arrive within the caller's budget. */
export function targetTimeout(timeoutMs: number): ApiError {
  return new ApiError(
    'timeout',
    `The target URL did not answer within ${timeoutMs} ms: try again, or with a larger timeout.`,
  );
}

/** Returns the 422 for a target that disconnected before its head and its title were complete. */
export function targetDisconnected(): ApiError {
  return new ApiError(
    'unreachable',
    'The target URL disconnected before the head of its page was complete: try again.',
  );
}
