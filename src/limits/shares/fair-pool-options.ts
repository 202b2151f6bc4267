import type { ApiError } from '#errors';

/**
 * Why an account gets no place: it exceeds its own share, the accounts within their shares use the whole
 * capacity, or one request is larger than the whole share (`size`).
 */
export interface Refusal {
  reason: 'share' | 'capacity' | 'size';
  /** True if the request had been waiting or running. */
  wasQueued: boolean;
  /** The maximum that the account may hold. */
  limit: number;
  /** When to try again, in milliseconds. */
  retryAfterMs: number;
}

export interface FairPoolOptions {
  capacity: number;
  /** The size of one place. This much always stays free for accounts that hold less than that. */
  reserve: number;
  /** Milliseconds; only differences count. */
  now: () => number;
  /** The maximum number of queued requests of all accounts. */
  maxQueued: number;
  /** The maximum time that a request waits. */
  maxWaitMs: number;
  /**
   * The time that a place is lent before an account within its share can reclaim it; null if it is never
   * reclaimed.
   */
  loanMs: number | null;
  createError: (refusal: Refusal) => ApiError;
}
