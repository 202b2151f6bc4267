/** The units that a month will have used at its end. */

const DAY_MS = 86_400_000;

/**
 * Estimates the units at the end of a month from its pace so far, with three digits. Returns null without
 * units, and on the first day of the month: there is no pace yet.
 */
export function computeProjection(
  used: number,
  { startMs, endMs, nowMs }: { startMs: number; endMs: number; nowMs: number },
): number | null {
  const passedMs = Math.min(nowMs, endMs) - startMs;
  if (used === 0 || passedMs < DAY_MS) return null;
  const units = (used / passedMs) * (endMs - startMs);
  return Math.max(used, Number(units.toPrecision(3)));
}
