/** The decision on a request, and the values of the X-RateLimit-* headers. */
export interface WindowDecision {
  admitted: boolean;
  limit: number;
  /** Requests left in this window after this one. */
  remaining: number;
  /** The end of the window in whole Unix seconds. */
  resetAtSeconds: number;
  /** The time until then in whole seconds, at least 1, by the clock that decides the window. */
  retryAfterSeconds: number;
}

/**
 * Counts requests in clock minutes (UTC). Of a limit of N exactly N units are admitted per key and window,
 * also of concurrent requests. Refused units do not count; several units are admitted together or not at all.
 * A cost of 0 consumes nothing and is admitted if one more unit would be.
 */
export interface WindowCounter {
  /**
   * Consumes `cost` units of `key` in the window of `nowMs` (Unix milliseconds); a counter that replicas
   * share uses the clock of its server instead.
   */
  consume(key: string, limit: number, cost: number, nowMs: number): Promise<WindowDecision>;
  /** Consumes as `consume` does if the count is in memory. Null, with nothing consumed, if it is not. */
  tryConsume(key: string, limit: number, cost: number, nowMs: number): WindowDecision | null;
}

/** The length of a window: a clock minute. */
export const WINDOW_MS = 60_000;

/**
 * Returns the parts of a decision that depend on the window, which is a number of minutes since the epoch.
 */
export function describeWindow(
  window: number,
  nowMs: number,
): Pick<WindowDecision, 'resetAtSeconds' | 'retryAfterSeconds'> {
  const endMs = (window + 1) * WINDOW_MS;
  return {
    resetAtSeconds: endMs / 1000,
    retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1000)),
  };
}

/**
 * Creates a WindowCounter for one process. All keys share the clock's window, so a new minute clears the
 * whole table. Past `maxKeys` keys in a minute (a flood from many addresses) new keys share one count,
 * which bounds memory.
 */
export function createMemoryWindowCounter(maxKeys = 1_000_000): WindowCounter {
  const used = new Map<string, number>();
  let currentWindow = -1;

  function tryConsume(key: string, limit: number, cost: number, nowMs: number): WindowDecision {
    const window = Math.floor(nowMs / WINDOW_MS);
    if (window !== currentWindow) {
      used.clear();
      currentWindow = window;
    }
    let before = used.get(key);
    const counted = before !== undefined || used.size < maxKeys ? key : '';
    before ??= used.get(counted) ?? 0;
    const admitted = before + Math.max(cost, 1) <= limit;
    if (admitted && cost > 0) used.set(counted, before + cost);
    return {
      admitted,
      limit,
      remaining: Math.max(0, limit - before - (admitted ? cost : 0)),
      ...describeWindow(window, nowMs),
    };
  }

  return { tryConsume, consume: async (...units) => tryConsume(...units) };
}
