/** The decision on a request, and the values of the X-RateLimit-* headers. */
export interface WindowDecision {
  admitted: boolean;
  limit: number;
  /** Requests left in this window after this one. */
  remaining: number;
  /** The end of the window in whole Unix seconds. */
  resetAtSeconds: number;
}

/**
 * Counts requests in clock minutes (UTC). Of a limit of N exactly N units are admitted per key and window,
 * also of concurrent requests. Refused units do not count; several units are admitted together or not at all.
 * A cost of 0 consumes nothing and is admitted if one more unit would be.
 */
export interface WindowCounter {
  /**
   * Consumes `cost` units of `key` in the window of `nowMs` (Unix milliseconds). Returns no promise if the
   * count is in memory.
   */
  consume(key: string, limit: number, cost: number, nowMs: number): WindowDecision | Promise<WindowDecision>;
}

/** The length of a window: a clock minute. */
export const WINDOW_MS = 60_000;
