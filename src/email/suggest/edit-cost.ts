/**
 * The noisy channel: how improbable it is that one word is typed for another. Costs are negative logarithms
 * of probabilities in hundredths (100 is a factor of e), from the counts of `typo-rates.json`.
 */
import rates from './typo-rates.json' with { type: 'json' };

/** The place of an error: the first letter of a label, a later one, or a suffix. */
export type Place = 0 | 1 | 2;
/** An error of one key. */
export type LetterError = keyof typeof rates.letters;
/** An error of a whole suffix, in the dots, or of a whole word. */
export type OtherError = keyof typeof rates.others;

const SIZE = 128;
const VOWELS = 'aeiouy';
const SIMILAR_SHAPES = 'o0 l1 i1 il ij g9 gq s5 b8 z2';
const SIMILAR_SOUNDS = 'ck cs sz iy bv dt fv gj kq mn yz jy bp bd jh';
/** The rows of QWERTY, AZERTY and QWERTZ. */
const KEYBOARDS = [
  '1234567890- qwertyuiop asdfghjkl zxcvbnm',
  '1234567890- azertyuiop qsdfghjklm wxcvbn',
  '1234567890- qwertzuiop asdfghjkl yxcvbnm',
];
/** The error of a typed letter (row) for a meant one (column). Later rules replace earlier ones. */
const SUBSTITUTIONS: LetterError[] = Array.from({ length: SIZE * SIZE }, () => 'otherLetter');
const ADJACENT = new Uint8Array(SIZE * SIZE);
setPairs(SIMILAR_SOUNDS.split(' '), 'similarSound');
setPairs(
  Array.from(VOWELS).flatMap((first) => Array.from(VOWELS, (second) => first + second)),
  'otherVowel',
);
setPairs(KEYBOARDS.flatMap(listAdjacentKeys), 'adjacentKey');
setPairs(SIMILAR_SHAPES.split(' '), 'similarShape');

function setPairs(pairs: readonly string[], error: LetterError): void {
  for (const pair of pairs) {
    const [first, second] = [pair.charCodeAt(0), pair.charCodeAt(1)];
    for (const at of [first * SIZE + second, second * SIZE + first]) {
      SUBSTITUTIONS[at] = error;
      if (error === 'adjacentKey') ADJACENT[at] = 1;
    }
  }
}

/** Lists the pairs of keys that touch: side by side, and in the rows above and below. */
function listAdjacentKeys(keyboard: string): string[] {
  const rows = keyboard.split(' ');
  return rows.flatMap((keys, row) => {
    const above = rows[row - 1] ?? '';
    return Array.from(keys).flatMap((key, at) => {
      const others = [keys.charAt(at + 1), above.charAt(at), above.charAt(at + 1)];
      return others.flatMap((other) => (other === '' ? [] : [key + other]));
    });
  });
}

/** Names the error of a letter typed for another one, by their codes. */
export function classifySubstitution(typed: number, meant: number): LetterError {
  return typed < SIZE && meant < SIZE ? (SUBSTITUTIONS[typed * SIZE + meant] as LetterError) : 'otherLetter';
}

/** Names the error of a letter too many between two others; a code that is not a number is no letter. */
export function classifyInsertion(typed: number, left: number, right: number): LetterError {
  if (typed === left || typed === right) return 'doubledLetter';
  return isAdjacent(typed, left) || isAdjacent(typed, right) ? 'keyBeside' : 'extraLetter';
}

function isAdjacent(first: number, second: number): boolean {
  return first < SIZE && second < SIZE && ADJACENT[first * SIZE + second] === 1;
}

/** Names the error of a letter that is missing between two others. */
export function classifyOmission(meant: number, left: number, right: number): LetterError {
  if (meant === left || meant === right) return 'oneOfPairMissing';
  return VOWELS.includes(String.fromCharCode(meant)) ? 'missingVowel' : 'missingLetter';
}

/** The times that an error was seen, and that it could have been. */
type Rate = readonly [seen: number, chances: number];

/** Computes the cost of a rate. Half a case is added, because what was not seen can happen. */
function computeCost([seen, chances]: Rate): number {
  return Math.round(-100 * Math.log((seen + 0.5) / (chances + 1)));
}

/** The rate at a place leans on the rate at all places, as on this many chances. */
const POOLED = 100;

function computeCosts(places: readonly Rate[]): number[] {
  if (places.length === 1) return places.map(computeCost);
  const sum = (at: 0 | 1): number => places.reduce((total, rate) => total + rate[at], 0);
  const anywhere = (sum(0) + 0.5) / (sum(1) + 1);
  return places.map(([seen, chances]) => computeCost([seen + anywhere * POOLED - 0.5, chances + POOLED - 1]));
}

/** Computes the costs of errors from texts of `seen/chances`, one for each place. */
function mapRates<K extends string>(texts: Record<K, string>): Record<K, number[]> {
  const parse = (rate: string) => rate.split('/').map(Number) as [number, number];
  const entries = Object.entries<string>(texts);
  const costs = entries.map(([error, text]) => [error, computeCosts(text.split(' ').map(parse))] as const);
  return Object.fromEntries(costs) as Record<K, number[]>;
}

const { second } = mapRates(rates.errors);
/** A typo with two errors is rarer than one with one. */
export const SECOND_ERROR = second[0] as number;
const LETTER_COSTS = mapRates(rates.letters);
const otherCosts = mapRates(rates.others);

/** Each error costs what a second one does too; `computeTypoCost` subtracts that of the first one. */
function getLetterCost(error: LetterError, place: Place): number {
  return (LETTER_COSTS[error][place] as number) + SECOND_ERROR;
}

/** Returns the cost of an error that is not in one letter. */
export function getOtherCost(error: OtherError): number {
  return otherCosts[error][0] as number;
}

/** The costs of `SUBSTITUTIONS` by place. */
const substitutionCosts = ([0, 1, 2] as const).map((place) =>
  Int32Array.from(SUBSTITUTIONS, (error) => getLetterCost(error, place)),
);

function getSubstitutionCost(typed: number, meant: number, place: Place): number {
  if (typed >= SIZE || meant >= SIZE) return getLetterCost('otherLetter', place);
  return (substitutionCosts[place] as Int32Array)[typed * SIZE + meant] as number;
}

/** A word with the cost of an error at each of its letters, so that it is computed once. */
export interface PreparedWord {
  word: string;
  isSuffix: boolean;
  /** The cost of each letter that is too many in a typed word, or missing from a meant one. */
  costs: readonly number[];
}

/** Prepares a label or a suffix, typed or meant, for `computeTypoCost`. */
export function prepareWord(word: string, isTyped: boolean, isSuffix: boolean): PreparedWord {
  const classify = isTyped ? classifyInsertion : classifyOmission;
  const costs: number[] = [];
  for (let at = 0; at < word.length; at++) {
    const error = classify(word.charCodeAt(at), word.charCodeAt(at - 1), word.charCodeAt(at + 1));
    costs.push(getLetterCost(error, getPlace(isSuffix, at === 0)));
  }
  return { word, isSuffix, costs };
}

function getPlace(isSuffix: boolean, isFirst: boolean): Place {
  return isSuffix ? 2 : isFirst ? 0 : 1;
}

/** Longer words are never compared. */
const MAX_LENGTH = 32;
const WIDTH = MAX_LENGTH + 1;
/** Reused by all calls: the cost of each typed prefix (row) for each meant prefix (column). */
const table = new Int32Array(WIDTH * WIDTH);

/**
 * Computes the cost of typing `typed` for `meant` (ASCII, lower case), over `limit` as soon as it must exceed
 * it; 0 if they are equal. Optimal string alignment (Damerau–Levenshtein without overlaps).
 */
export function computeTypoCost(typed: PreparedWord, meant: PreparedWord, limit: number): number {
  if (typed.word === meant.word) return 0;
  const rows = typed.word.length;
  const columns = meant.word.length;
  if (rows > MAX_LENGTH || columns > MAX_LENGTH) return limit + 1;
  const bound = limit + SECOND_ERROR;
  for (let column = 1; column <= columns; column++) {
    table[column] = (table[column - 1] as number) + (meant.costs[column - 1] as number);
  }
  let [before, twoBefore] = [0, 0];
  for (let row = 1; row <= rows; row++) {
    const lowest = fillRow(typed, meant, row);
    // A swap reaches two rows back, a moved letter three.
    if (lowest > bound && before > bound && twoBefore > bound) return limit + 1;
    [before, twoBefore] = [lowest, before];
  }
  return (table[rows * WIDTH + columns] as number) - SECOND_ERROR;
}

/** Fills one row of the table; returns its lowest cost. */
function fillRow({ word: typed, costs, isSuffix }: PreparedWord, meant: PreparedWord, row: number): number {
  const { word } = meant;
  const start = row * WIDTH;
  const before = start - WIDTH;
  const unit = typed.charCodeAt(row - 1);
  const last = typed.charCodeAt(row - 2);
  const inserted = costs[row - 1] as number;
  let lowest = (table[before] as number) + inserted;
  table[start] = lowest;
  for (let column = 1; column <= word.length; column++) {
    const wanted = word.charCodeAt(column - 1);
    let cost = table[before + column - 1] as number;
    if (unit !== wanted) cost += getSubstitutionCost(unit, wanted, getPlace(isSuffix, row + column === 2));
    cost = Math.min(cost, (table[before + column] as number) + inserted);
    cost = Math.min(cost, (table[start + column - 1] as number) + (meant.costs[column - 1] as number));
    if (last === wanted && unit === word.charCodeAt(column - 2) && unit !== wanted) {
      const swapped = getLetterCost('swappedLetters', getPlace(isSuffix, row + column === 4));
      cost = Math.min(cost, (table[before - WIDTH + column - 2] as number) + swapped);
    }
    if (row > 2 && column > 2 && isMoved(typed, word, row, column)) {
      const moved = getLetterCost('movedLetter', getPlace(isSuffix, row + column === 6));
      cost = Math.min(cost, (table[before - 2 * WIDTH + column - 3] as number) + moved);
    }
    table[start + column] = cost;
    if (cost < lowest) lowest = cost;
  }
  return lowest;
}

/**
 * True if the last three letters of the prefixes differ by a letter that moved two places, or a swap around
 * the middle.
 */
function isMoved(typed: string, meant: string, typedLength: number, meantLength: number): boolean {
  const first = typed.charCodeAt(typedLength - 3);
  const third = typed.charCodeAt(typedLength - 1);
  const start = meant.charCodeAt(meantLength - 3);
  const end = meant.charCodeAt(meantLength - 1);
  if (third !== start && first !== end) return false;
  const second = typed.charCodeAt(typedLength - 2);
  const middle = meant.charCodeAt(meantLength - 2);
  if (third === start) return second === middle ? first === end : first === middle && second === end;
  return second === start && third === middle;
}

/** Returns true if one word is the other with a letter doubled, or with two letters swapped. */
export function findSlip(typed: string, meant: string): boolean {
  const [long, short] = typed.length < meant.length ? [meant, typed] : [typed, meant];
  for (let at = 1; at < long.length; at++) {
    const [before, letter] = [long.charAt(at - 1), long.charAt(at)];
    const rest = long.slice(at + 1);
    if (before === letter && short === long.slice(0, at) + rest) return true;
    if (before !== letter && short === long.slice(0, at - 1) + letter + before + rest) return true;
  }
  return false;
}
