/** What the limiter decided, and what the X-RateLimit-* headers tell. */
export interface WindowDecision {
  admitted: boolean;
  limit: number;
  /** Requests left in this window after this one. */
  remaining: number;
  /** Whole Unix seconds: the window's end. */
  resetAtSeconds: number;
}

/**
 * Counts requests in clock minutes (UTC). With limit N exactly N units are admitted for a key in a window, however many arrive at once
 * and however many servers share the counter. What is refused does not count; several units are admitted all or none.
 * A cost of 0 takes nothing and is admitted where one more unit would be.
 */
export interface WindowCounter {
  /** Takes `cost` units of the window that `nowMs` lies in. Answers at once where the count is in memory. */
  consume(key: string, limit: number, cost: number, nowMs: number): WindowDecision | Promise<WindowDecision>;
  close(): Promise<void>;
}

export const WINDOW_MS = 60_000;
