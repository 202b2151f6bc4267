/** Measures the CPU time of the main thread in one turn of the event loop. */

export interface TurnMeter {
  /** Stops measuring; returns the largest CPU time of one turn, in milliseconds. */
  stop(): number;
}

/**
 * Samples the thread's CPU time every millisecond. The time between two samples is one long turn, or 1 ms of
 * short ones.
 */
export function startTurnMeter(): TurnMeter {
  let largestMs = 0;
  let before = process.threadCpuUsage();
  const sample = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    largestMs = Math.max(largestMs, (user + system) / 1_000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(sample, 1);
  return {
    stop() {
      sample();
      clearInterval(timer);
      return largestMs;
    },
  };
}
