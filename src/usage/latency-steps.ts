/**
 * Upper bounds of latency in milliseconds, each about a fifth above the one before: a percentile computed
 * from them is too high by at most a fifth.
 */
const STEPS: readonly number[] = createSteps();

function createSteps(): number[] {
  const steps = [1];
  while ((steps.at(-1) ?? 0) < 120_000) steps.push(Math.ceil((steps.at(-1) ?? 1) * 1.2));
  return steps;
}

/** Returns the smallest step that is at least `ms`; the last step for all above. */
export function findLatencyStep(ms: number): number {
  let low = 0;
  let high = STEPS.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((STEPS[middle] ?? 0) >= ms) high = middle;
    else low = middle + 1;
  }
  return STEPS[low] ?? 0;
}

/** Returns the latency that `share` (0–1) of the requests did not exceed, null if there are no requests. */
export function computePercentile(
  counts: readonly { ms: number; requests: number }[],
  share: number,
): number | null {
  const sorted = counts.toSorted((one, other) => one.ms - other.ms);
  const total = sorted.reduce((sum, { requests }) => sum + requests, 0);
  let seen = 0;
  for (const { ms, requests } of sorted) {
    seen += requests;
    if (seen >= total * share) return ms;
  }
  return null;
}
