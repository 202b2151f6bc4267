import { describeWindow, WINDOW_MS, type WindowCounter, type WindowDecision } from './window-counter.ts';

/**
 * Creates a WindowCounter for one process. All keys share the clock's window, so a new minute clears the
 * whole table. Past `maxKeys` keys in a minute (a flood from many addresses) new keys share one count, which
 * bounds memory.
 */
export function createMemoryWindowCounter(maxKeys = 1_000_000): WindowCounter {
  const used = new Map<string, number>();
  let currentWindow = -1;

  function consume(key: string, limit: number, cost: number, nowMs: number): WindowDecision {
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

  return { consume };
}
