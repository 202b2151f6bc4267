/**
 * The costs of one letter typed for another, too many or missing, in hundredths of an edit (see
 * `LETTER_RULES`).
 */
import { FIRST_LETTER_RULES, LETTER_RULES } from './rules.ts';

const SIZE = 128;
const OTHER_LETTER = LETTER_RULES.otherLetter.cost;
const ADJACENT_KEY = LETTER_RULES.adjacentKey.cost;
const ADJACENT_KEY_TOO = LETTER_RULES.adjacentKeyToo.cost;
const EXTRA_LETTER = LETTER_RULES.extraLetter.cost;
const DOUBLED_LETTER = LETTER_RULES.doubledLetter.cost;
const ONE_OF_PAIR_MISSING = LETTER_RULES.oneOfPairMissing.cost;
const MISSING_VOWEL = LETTER_RULES.missingVowel.cost;
const MISSING_LETTER = LETTER_RULES.missingLetter.cost;
const FIRST_NEARBY = FIRST_LETTER_RULES.nearby.cost;
const FIRST_FAR = FIRST_LETTER_RULES.far.cost;
const FIRST_EXTRA = FIRST_LETTER_RULES.extra.cost;
const FIRST_MISSING = FIRST_LETTER_RULES.missing.cost;

const KEY_ROWS = ['1234567890-', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const VOWELS = 'aeiouy';
const SIMILAR_SHAPES = ['o0', 'l1', 'i1', 'il', 'g9', 's5', 'b8', 'z2', 'ij'];
const SIMILAR_SOUNDS = ['ck', 'cs', 'sz', 'iy', 'bv', 'dt', 'fv', 'gj', 'kq', 'mn', 'yz', 'jy', 'bp', 'bd'];

/** The cost of a typed letter (row) for a meant one (column). Later rules replace earlier ones. */
const SUBSTITUTION = new Uint8Array(SIZE * SIZE).fill(OTHER_LETTER);
const IS_VOWEL = new Uint8Array(SIZE);
for (const vowel of VOWELS) IS_VOWEL[vowel.charCodeAt(0)] = 1;
const IS_ADJACENT = new Uint8Array(SIZE * SIZE);
for (const pair of SIMILAR_SOUNDS) setPair(SUBSTITUTION, pair, LETTER_RULES.similarSound.cost);
for (const first of VOWELS) {
  for (const second of VOWELS) setPair(SUBSTITUTION, first + second, LETTER_RULES.otherVowel.cost);
}
for (const pair of listAdjacentKeys()) {
  setPair(SUBSTITUTION, pair, ADJACENT_KEY);
  setPair(IS_ADJACENT, pair, 1);
}
for (const pair of SIMILAR_SHAPES) setPair(SUBSTITUTION, pair, LETTER_RULES.similarShape.cost);
for (let unit = 0; unit < SIZE; unit++) SUBSTITUTION[unit * SIZE + unit] = 0;

function setPair(matrix: Uint8Array, pair: string, value: number): void {
  const first = pair.charCodeAt(0);
  const second = pair.charCodeAt(1);
  matrix[first * SIZE + second] = value;
  matrix[second * SIZE + first] = value;
}

/** Lists the pairs of keys that touch: side by side, and in the rows above and below. */
function listAdjacentKeys(): string[] {
  return KEY_ROWS.flatMap((keys, row) => {
    const above = KEY_ROWS[row - 1] ?? '';
    return Array.from(keys, (key, at) =>
      [keys.charAt(at + 1), above.charAt(at), above.charAt(at + 1)]
        .filter((other) => other !== '')
        .map((other) => key + other),
    ).flat();
  });
}

/** Returns the cost of a letter typed for another one; `isFirst` if both are the first of their words. */
export function getSubstitutionCost(typed: number, meant: number, isFirst: boolean): number {
  if (typed === meant) return 0;
  const cost = typed < SIZE && meant < SIZE ? (SUBSTITUTION[typed * SIZE + meant] as number) : OTHER_LETTER;
  if (!isFirst) return cost;
  return cost + (cost <= ADJACENT_KEY ? FIRST_NEARBY : FIRST_FAR);
}

function isVowel(unit: number): boolean {
  return unit < SIZE && IS_VOWEL[unit] === 1;
}

/** Returns true if two keys touch. A code that is not a number, as of no character, touches none. */
function isAdjacentKey(first: number, second: number): boolean {
  return first < SIZE && second < SIZE && IS_ADJACENT[first * SIZE + second] === 1;
}

/** Returns the cost of the letter at `at` of the typed word, if it is one too many. */
export function getInsertionCost(typed: string, at: number): number {
  const unit = typed.charCodeAt(at);
  const left = typed.charCodeAt(at - 1);
  const right = typed.charCodeAt(at + 1);
  if (unit === left || unit === right) return DOUBLED_LETTER;
  const nearby = isAdjacentKey(unit, left) || isAdjacentKey(unit, right);
  return (nearby ? ADJACENT_KEY_TOO : EXTRA_LETTER) + (at === 0 ? FIRST_EXTRA : 0);
}

/** Returns the cost of the letter at `at` of the meant word, if it is missing. */
function getDeletionCost(meant: string, at: number): number {
  const unit = meant.charCodeAt(at);
  if (unit === meant.charCodeAt(at - 1) || unit === meant.charCodeAt(at + 1)) return ONE_OF_PAIR_MISSING;
  const cost = VOWELS.includes(meant.charAt(at)) ? MISSING_VOWEL : MISSING_LETTER;
  return cost + (at === 0 ? FIRST_MISSING : 0);
}

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
function isSwapped(typed: string, meant: string, typedLength: number, meantLength: number): boolean {
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

/** A single typing error that is accepted even in a short word. */
type Slip = 'doubled_letter' | 'one_of_pair_missing' | 'swapped_letters' | 'key_beside_added';

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
