import { getDeletionCost, getInsertionCost, getSubstitutionCost, isVowel } from './letter-costs.ts';
import { FIRST_LETTER_RULES, LETTER_RULES } from './rules.ts';

const SWAPPED_LETTERS = LETTER_RULES.swappedLetters.cost;
const MOVED_LETTER = LETTER_RULES.movedLetter.cost;
const SWAPPED_OTHER_VOWEL = LETTER_RULES.swappedOtherVowel.cost;
const FIRST_SWAPPED = FIRST_LETTER_RULES.swapped.cost;

/** Longer words are never compared. */
const MAX_LENGTH = 32;
const WIDTH = MAX_LENGTH + 1;
/** Reused by all calls: the cost of each typed prefix (row) for each meant prefix (column). */
const table = new Int32Array(WIDTH * WIDTH);

/**
 * Computes the cost of typing `typed` for `meant` (both ASCII, lower case), in hundredths of an edit; over
 * `limit` as soon as it must exceed it. Optimal string alignment (Damerau–Levenshtein without overlaps) by
 * `LETTER_RULES`.
 */
export function computeEditCost(typed: string, meant: string, limit: number): number {
  const rows = typed.length;
  const columns = meant.length;
  if (rows > MAX_LENGTH || columns > MAX_LENGTH) return limit + 1;
  for (let column = 1; column <= columns; column++) {
    table[column] = (table[column - 1] as number) + getDeletionCost(meant, column - 1);
  }
  let lowestBefore = 0;
  let lowestTwoBefore = 0;
  for (let row = 1; row <= rows; row++) {
    const lowest = fillRow(typed, meant, row, columns);
    // A swap reaches two rows back, a moved letter three.
    if (lowest > limit && lowestBefore > limit - SWAPPED_LETTERS && lowestTwoBefore > limit - MOVED_LETTER) {
      return limit + 1;
    }
    lowestTwoBefore = lowestBefore;
    lowestBefore = lowest;
  }
  return table[rows * WIDTH + columns] as number;
}

/** Fills one row of the table; returns its lowest cost. */
function fillRow(typed: string, meant: string, row: number, columns: number): number {
  const start = row * WIDTH;
  const before = start - WIDTH;
  const unit = typed.charCodeAt(row - 1);
  const inserted = getInsertionCost(typed, row - 1);
  let lowest = (table[before] as number) + inserted;
  table[start] = lowest;
  for (let column = 1; column <= columns; column++) {
    const wanted = meant.charCodeAt(column - 1);
    let cost =
      (table[before + column - 1] as number) + getSubstitutionCost(unit, wanted, row === 1 && column === 1);
    cost = Math.min(cost, (table[before + column] as number) + inserted);
    cost = Math.min(cost, (table[start + column - 1] as number) + getDeletionCost(meant, column - 1));
    // The last letter typed is the one before the last that was meant.
    if (row > 1 && column > 1 && unit !== wanted && unit === meant.charCodeAt(column - 2)) {
      const swapCost = computeSwapCost(typed, meant, row, column);
      cost = Math.min(cost, (table[before - WIDTH + column - 2] as number) + swapCost);
    }
    if (row > 2 && column > 2 && isMoved(typed, meant, row, column)) {
      cost = Math.min(cost, (table[before - 2 * WIDTH + column - 3] as number) + MOVED_LETTER);
    }
    table[start + column] = cost;
    if (cost < lowest) lowest = cost;
  }
  return lowest;
}

/** True if the last two letters of the prefixes are each other's, swapped. */
export function isSwapped(typed: string, meant: string, typedLength: number, meantLength: number): boolean {
  return (
    typed.charCodeAt(typedLength - 1) === meant.charCodeAt(meantLength - 2) &&
    typed.charCodeAt(typedLength - 2) === meant.charCodeAt(meantLength - 1)
  );
}

/** Computes the cost of the last two letters of the prefixes, if the last one typed was meant before. */
function computeSwapCost(typed: string, meant: string, typedLength: number, meantLength: number): number {
  if (isSwapped(typed, meant, typedLength, meantLength)) {
    return SWAPPED_LETTERS + (typedLength === 2 && meantLength === 2 ? FIRST_SWAPPED : 0);
  }
  const isInside = typedLength > 2 && meantLength > 2;
  const isVowelForVowel =
    isVowel(typed.charCodeAt(typedLength - 2)) && isVowel(meant.charCodeAt(meantLength - 1));
  return isInside && isVowelForVowel ? SWAPPED_OTHER_VOWEL : Number.POSITIVE_INFINITY;
}

/**
 * True if the last three letters of the prefixes differ by a letter that moved two places, or a swap around
 * the middle.
 */
function isMoved(typed: string, meant: string, typedLength: number, meantLength: number): boolean {
  const first = typed.charCodeAt(typedLength - 3);
  const second = typed.charCodeAt(typedLength - 2);
  const third = typed.charCodeAt(typedLength - 1);
  if (third === meant.charCodeAt(meantLength - 3)) {
    if (second === meant.charCodeAt(meantLength - 2)) return first === meant.charCodeAt(meantLength - 1);
    return first === meant.charCodeAt(meantLength - 2) && second === meant.charCodeAt(meantLength - 1);
  }
  return (
    first === meant.charCodeAt(meantLength - 1) &&
    second === meant.charCodeAt(meantLength - 3) &&
    third === meant.charCodeAt(meantLength - 2)
  );
}
