import type { Thresholds } from '../../src/email/suggest/thresholds.ts';
import { computeObjective, type Score } from './open-scorer.ts';

/** A run of values of one threshold that score the best, and what one step beyond it scores. */
export interface Plateau {
  from: number;
  to: number;
  /** The middle of the plateau on the grid, the lower of two. */
  value: number;
  best: number;
  /** Null if the plateau reaches the end of the grid. */
  below: number | null;
  above: number | null;
}

export type ThresholdName = keyof Thresholds;
export type ScoreThresholds = (thresholds: Thresholds) => Score;

const COSTS = Array.from({ length: 61 }, (_, step) => step * 5);
const LENGTHS = Array.from({ length: 12 }, (_, step) => step + 1);
const WEIGHTS = [
  0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 250, 300, 400, 500, 700,
  1000, 1500, 2000, 3000, 5000,
];
/** A sweep ends after so many worse values in a row. */
const MAX_WORSE = 3;

/** Returns the values that are tried for a threshold, by what it is: a length, a weight or a cost. */
export function getGrid(name: ThresholdName): readonly number[] {
  if (name.endsWith('Length')) return LENGTHS;
  return /Weight$|^(?:slip|suffix)/.test(name) ? WEIGHTS : COSTS;
}

/** Returns the middle of the plateau on the grid, the lower of two. */
export function getMiddle(name: ThresholdName, from: number, to: number): number {
  const plateau = getGrid(name).filter((value) => value >= from && value <= to);
  return plateau[(plateau.length - 1) >> 1] as number;
}

/**
 * Scores the values of one threshold from the present one outward, with the others as they are, and finds the
 * best plateau; of several, the one nearest to the present value. `report` is called for each value.
 */
export function sweepThreshold(
  name: ThresholdName,
  thresholds: Thresholds,
  score: ScoreThresholds,
  report: (value: number, score: Score) => void = () => {},
): Plateau {
  const grid = getGrid(name);
  const objectives = new Map<number, number>();
  const scoreAt = (at: number): number => {
    const value = grid[at] as number;
    const result = score({ ...thresholds, [name]: value });
    report(value, result);
    const objective = computeObjective(result);
    objectives.set(at, objective);
    return objective;
  };
  const start = findNearest(grid, thresholds[name]);
  let best = scoreAt(start);
  for (const step of [-1, 1]) {
    let worse = 0;
    for (let at = start + step; at >= 0 && at < grid.length && worse < MAX_WORSE; at += step) {
      const objective = scoreAt(at);
      worse = objective < best ? worse + 1 : 0;
      best = Math.max(best, objective);
    }
  }
  return findPlateau(name, objectives, best, start);
}

function findPlateau(
  name: ThresholdName,
  objectives: ReadonlyMap<number, number>,
  best: number,
  start: number,
): Plateau {
  const grid = getGrid(name);
  const tops = [...objectives.keys()].filter((at) => objectives.get(at) === best);
  const distance = (at: number): number => Math.abs(at - start);
  const nearest = tops.reduce((first, second) => (distance(second) < distance(first) ? second : first));
  let low = nearest;
  let high = nearest;
  while (objectives.get(low - 1) === best) low--;
  while (objectives.get(high + 1) === best) high++;
  const from = grid[low] as number;
  const to = grid[high] as number;
  const below = objectives.get(low - 1) ?? null;
  const above = objectives.get(high + 1) ?? null;
  return { from, to, value: getMiddle(name, from, to), best, below, above };
}

/** Returns the index of the value on the grid nearest to `wanted`. */
function findNearest(grid: readonly number[], wanted: number): number {
  let nearest = 0;
  for (let at = 1; at < grid.length; at++) {
    if (Math.abs((grid[at] as number) - wanted) < Math.abs((grid[nearest] as number) - wanted)) nearest = at;
  }
  return nearest;
}
