import { computeEditCost } from './edit-cost.ts';

/** Generic ends that are worth guessing, with a handicap in hundredths of an edit for the rarer ones. */
const ENDS: readonly [string, number][] = [
  ['com', 0],
  ['net', 10],
  ['org', 10],
  ['edu', 20],
  ['gov', 30],
];
const MAX_COST = 100;
const CLEAR_MARGIN = 15;
/** Two-level ends whose dot is forgotten. */
const GLUED = /^(co|org|ac|gov|me|com|net)(uk|nz|za|jp|kr|il|au|br|mx|ar|tr|tw|hk|sg|my)$/;
const BROKEN_UK = /^(co|org|ac)\.(?:[a-z]?[uk]|ku|yk|ik|uj|ul|ui|um|uo|jk|hk)$/;

/**
 * The end that was meant by one that does not exist: `con` → `com`, `couk` → `co.uk`, `nte` → `net`; null where no one is clearly nearest.
 * `rest` is the label before it, for ends of two labels.
 */
export function repairTopLevel(typed: string, rest: string): string | null {
  const glued = GLUED.exec(typed);
  if (glued !== null) return `${glued[1]}.${glued[2]}`;
  if (BROKEN_UK.test(`${rest}.${typed}`)) return 'uk';
  if (typed.length < 2 || typed.length > 5) return null;
  let best: string | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  let second = Number.POSITIVE_INFINITY;
  for (const [end, handicap] of ENDS) {
    const cost = computeEditCost(typed, end, MAX_COST) + handicap;
    if (cost < lowest) {
      second = lowest;
      lowest = cost;
      best = end;
    } else if (cost < second) second = cost;
  }
  return lowest <= MAX_COST && second - lowest >= CLEAR_MARGIN ? best : null;
}
