/** Measures the CPU time of the main thread in one turn of the event loop. */

const SLEEP_MS = 0.001;
const neverWoken = new Int32Array(new SharedArrayBuffer(4));

/**
 * Returns the CPU time of this thread in milliseconds. The kernel updates it when the thread sleeps, and
 * otherwise only with its own timer, every 4 ms: so the thread sleeps for a moment.
 */
function readCpuMs(): number {
  Atomics.wait(neverWoken, 0, 0, SLEEP_MS);
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

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
  let beforeMs = readCpuMs();
  const sample = (): void => {
    const nowMs = readCpuMs();
    largestMs = Math.max(largestMs, nowMs - beforeMs);
    beforeMs = nowMs;
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
