import { isSwapped } from './edit-cost.ts';
import { isAdjacentKey } from './letter-costs.ts';

/** A single typing error that is accepted even in a short word. */
export type Slip = 'doubled_letter' | 'one_of_pair_missing' | 'swapped_letters' | 'key_beside_added';

/** Finds the single slip that makes `typed` of `meant`; null if there is none. */
export function findSlip(typed: string, meant: string): Slip | null {
  if (typed.length === meant.length + 1) {
    if (isDoubled(typed, meant)) return 'doubled_letter';
    return isKeyAdded(typed, meant) ? 'key_beside_added' : null;
  }
  if (typed.length === meant.length - 1) return isDoubled(meant, typed) ? 'one_of_pair_missing' : null;
  const at = findDifference(typed, meant);
  if (typed.length !== meant.length || at > meant.length - 2 || !isSwapped(typed, meant, at + 2, at + 2)) {
    return null;
  }
  return typed.slice(at + 2) === meant.slice(at + 2) ? 'swapped_letters' : null;
}

/** True if `long` is `short` with one of its letters twice. */
function isDoubled(long: string, short: string): boolean {
  const at = findDifference(long, short);
  return at > 0 && long.charAt(at) === long.charAt(at - 1) && long.slice(at + 1) === short.slice(at);
}

/** True if `typed` is `meant` with a key inside it that touches the one before or after. */
function isKeyAdded(typed: string, meant: string): boolean {
  const at = findDifference(typed, meant);
  if (at === 0 || at >= meant.length || typed.slice(at + 1) !== meant.slice(at)) return false;
  const added = typed.charCodeAt(at);
  return isAdjacentKey(added, typed.charCodeAt(at - 1)) || isAdjacentKey(added, typed.charCodeAt(at + 1));
}

/** Returns the index of the first difference, at most the length of `second`. */
function findDifference(first: string, second: string): number {
  let at = 0;
  while (at < second.length && first.charCodeAt(at) === second.charCodeAt(at)) at++;
  return at;
}
