/** Axes in round steps from 0. */

/** An axis: its highest value, and the values that have a line. */
export interface Scale {
  top: number;
  ticks: number[];
}

const ROUND = [1, 2, 5, 10];

/** Computes an axis for integers up to `highest`, with at most `most` steps of 1, 2 or 5 × 10ⁿ. */
export function computeScale(highest: number, most = 4): Scale {
  const wanted = Math.max(1, highest) / most;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = ROUND.find((round) => round * power >= wanted) ?? 10;
  const step = Math.max(1, factor * power);
  const count = Math.max(1, Math.ceil(Math.max(1, highest) / step));
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}
