import { FIRST_LETTER_RULES, LETTER_RULES } from './rules.ts';

/**
 * The costs of one letter typed for another, too many or missing, in hundredths of an edit (see
 * `LETTER_RULES`).
 */

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

export function isVowel(unit: number): boolean {
  return unit < SIZE && IS_VOWEL[unit] === 1;
}

/** Returns true if two keys touch. A code that is not a number, as of no character, touches none. */
export function isAdjacentKey(first: number, second: number): boolean {
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
export function getDeletionCost(meant: string, at: number): number {
  const unit = meant.charCodeAt(at);
  if (unit === meant.charCodeAt(at - 1) || unit === meant.charCodeAt(at + 1)) return ONE_OF_PAIR_MISSING;
  const cost = VOWELS.includes(meant.charAt(at)) ? MISSING_VOWEL : MISSING_LETTER;
  return cost + (at === 0 ? FIRST_MISSING : 0);
}
