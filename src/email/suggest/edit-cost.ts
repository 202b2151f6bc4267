/**
 * What it takes to have typed one word for another: optimal string alignment (Damerau–Levenshtein without overlaps)
 * with weights by how fingers and eyes err. In hundredths of an edit: 100 is one plain insertion.
 */

const SIZE = 128;
const PLAIN_SUBSTITUTION = 110;
const TRANSPOSITION = 70;
/** A letter struck two keys early or late, or two letters swapped around a third: `gmila`, `yaooh`, `sezman`. */
const ROTATION = 110;
const DOUBLING = 60;
const ADJACENT = 70;
const LOOKALIKE = 60;
const VOWEL = 80;
const SOUNDALIKE = 85;
const NEARBY_INSERTION = 80;
const PLAIN_INSERTION = 100;
const PLAIN_DELETION = 90;
/** People seldom get the first letter wrong, and words that differ there are other words. */
const FIRST_LETTER = 20;
const FIRST_LETTER_FAR = 40;

const KEY_ROWS = ['1234567890-', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const VOWELS = 'aeiouy';
const LOOKALIKES = ['o0', 'l1', 'i1', 'il', 'g9', 's5', 'b8', 'z2', 'ij'];
const SOUNDALIKES = ['ck', 'cs', 'sz', 'iy', 'bv', 'dt', 'fv', 'gj', 'kq', 'mn', 'yz', 'jy', 'bp', 'bd'];

/** Cost to type column for row, 0 on the diagonal. */
const SUBSTITUTION = new Uint8Array(SIZE * SIZE).fill(PLAIN_SUBSTITUTION);
const IS_ADJACENT = new Uint8Array(SIZE * SIZE);
for (const pair of SOUNDALIKES) setPair(pair, SOUNDALIKE);
for (const first of VOWELS) for (const second of VOWELS) setPair(first + second, VOWEL);
setAdjacentKeys();
for (const pair of LOOKALIKES) setPair(pair, LOOKALIKE);
for (let unit = 0; unit < SIZE; unit++) SUBSTITUTION[unit * SIZE + unit] = 0;

function setPair(pair: string, cost: number): void {
  const first = pair.charCodeAt(0);
  const second = pair.charCodeAt(1);
  SUBSTITUTION[first * SIZE + second] = cost;
  SUBSTITUTION[second * SIZE + first] = cost;
}

/** A key's neighbours: left and right, and in the row above and below those that touch it. */
function setAdjacentKeys(): void {
  for (let row = 0; row < KEY_ROWS.length; row++) {
    const keys = KEY_ROWS[row] as string;
    const above = KEY_ROWS[row - 1] ?? '';
    for (let at = 0; at < keys.length; at++) {
      const key = keys.charAt(at);
      for (const other of [keys.charAt(at + 1), above.charAt(at), above.charAt(at + 1)]) {
        if (other === '') continue;
        setPair(key + other, ADJACENT);
        IS_ADJACENT[key.charCodeAt(0) * SIZE + other.charCodeAt(0)] = 1;
        IS_ADJACENT[other.charCodeAt(0) * SIZE + key.charCodeAt(0)] = 1;
      }
    }
  }
}

const MAX_LENGTH = 32;
const WIDTH = MAX_LENGTH + 1;
const table = new Int32Array(WIDTH * WIDTH);

/** The cost of having typed `typed` for `meant`, both ASCII in lower case; `limit` + 1 as soon as it must exceed `limit`. */
export function computeEditCost(typed: string, meant: string, limit: number): number {
  const rows = typed.length;
  const columns = meant.length;
  if (rows > MAX_LENGTH || columns > MAX_LENGTH) return limit + 1;
  for (let column = 1; column <= columns; column++) {
    table[column] = (table[column - 1] as number) + deletionCost(meant, column - 1);
  }
  let lowestBefore = 0;
  let lowestTwoBefore = 0;
  for (let row = 1; row <= rows; row++) {
    const lowest = fillRow(typed, meant, row, columns);
    // A transposition reaches two rows back, a rotation three.
    if (lowest > limit && lowestBefore > limit - TRANSPOSITION && lowestTwoBefore > limit - ROTATION) {
      return limit + 1;
    }
    lowestTwoBefore = lowestBefore;
    lowestBefore = lowest;
  }
  return table[rows * WIDTH + columns] as number;
}

function fillRow(typed: string, meant: string, row: number, columns: number): number {
  const start = row * WIDTH;
  const before = start - WIDTH;
  const unit = typed.charCodeAt(row - 1);
  const inserted = insertionCost(typed, row - 1);
  let lowest = (table[before] as number) + inserted;
  table[start] = lowest;
  for (let column = 1; column <= columns; column++) {
    const wanted = meant.charCodeAt(column - 1);
    let cost =
      (table[before + column - 1] as number) + substitutionCost(unit, wanted, row === 1 && column === 1);
    cost = Math.min(cost, (table[before + column] as number) + inserted);
    cost = Math.min(cost, (table[start + column - 1] as number) + deletionCost(meant, column - 1));
    if (row > 1 && column > 1 && unit !== wanted && isSwapped(typed, meant, row, column)) {
      const first = row === 2 && column === 2 ? FIRST_LETTER / 2 : 0;
      cost = Math.min(cost, (table[before - WIDTH + column - 2] as number) + TRANSPOSITION + first);
    }
    if (row > 2 && column > 2 && isRotated(typed, meant, row, column)) {
      cost = Math.min(cost, (table[before - 2 * WIDTH + column - 3] as number) + ROTATION);
    }
    table[start + column] = cost;
    if (cost < lowest) lowest = cost;
  }
  return lowest;
}

function isSwapped(typed: string, meant: string, row: number, column: number): boolean {
  return (
    typed.charCodeAt(row - 1) === meant.charCodeAt(column - 2) &&
    typed.charCodeAt(row - 2) === meant.charCodeAt(column - 1)
  );
}

function isRotated(typed: string, meant: string, row: number, column: number): boolean {
  const first = typed.charCodeAt(row - 3);
  const second = typed.charCodeAt(row - 2);
  const third = typed.charCodeAt(row - 1);
  if (third === meant.charCodeAt(column - 3)) {
    if (second === meant.charCodeAt(column - 2)) return first === meant.charCodeAt(column - 1);
    return first === meant.charCodeAt(column - 2) && second === meant.charCodeAt(column - 1);
  }
  return (
    first === meant.charCodeAt(column - 1) &&
    second === meant.charCodeAt(column - 3) &&
    third === meant.charCodeAt(column - 2)
  );
}

function substitutionCost(unit: number, wanted: number, isFirst: boolean): number {
  if (unit === wanted) return 0;
  const cost =
    unit < SIZE && wanted < SIZE ? (SUBSTITUTION[unit * SIZE + wanted] as number) : PLAIN_SUBSTITUTION;
  if (!isFirst) return cost;
  return cost + (cost <= ADJACENT ? FIRST_LETTER : FIRST_LETTER_FAR);
}

/** A letter too many: struck twice, struck with its neighbour, or any. */
function insertionCost(typed: string, at: number): number {
  const unit = typed.charCodeAt(at);
  const left = typed.charCodeAt(at - 1);
  const right = typed.charCodeAt(at + 1);
  if (unit === left || unit === right) return DOUBLING;
  const nearby =
    (left < SIZE && IS_ADJACENT[unit * SIZE + left]) || (right < SIZE && IS_ADJACENT[unit * SIZE + right]);
  return (nearby ? NEARBY_INSERTION : PLAIN_INSERTION) + (at === 0 ? FIRST_LETTER : 0);
}

/** A letter left out: one of a pair, a vowel, or any. */
function deletionCost(meant: string, at: number): number {
  const unit = meant.charCodeAt(at);
  if (unit === meant.charCodeAt(at - 1) || unit === meant.charCodeAt(at + 1)) return DOUBLING;
  const cost = VOWELS.includes(meant.charAt(at)) ? VOWEL : PLAIN_DELETION;
  return cost + (at === 0 ? FIRST_LETTER : 0);
}

/** A slip of the finger: a letter struck twice or, of a pair, once, or two neighbours swapped. */
export type Slip = 'doubling' | 'halving' | 'transposition';

/** Which single slip makes `typed` of `meant`, if one does: all that is believed of a short word. */
export function readSlip(typed: string, meant: string): Slip | null {
  if (typed.length === meant.length + 1) return isDoubled(typed, meant) ? 'doubling' : null;
  if (typed.length === meant.length - 1) return isDoubled(meant, typed) ? 'halving' : null;
  const at = findDifference(typed, meant);
  if (typed.length !== meant.length || at > meant.length - 2 || !isSwapped(typed, meant, at + 2, at + 2)) {
    return null;
  }
  return typed.slice(at + 2) === meant.slice(at + 2) ? 'transposition' : null;
}

/** Whether `long` is `short` with one of its letters twice. */
function isDoubled(long: string, short: string): boolean {
  const at = findDifference(long, short);
  return at > 0 && long.charAt(at) === long.charAt(at - 1) && long.slice(at + 1) === short.slice(at);
}

function findDifference(first: string, second: string): number {
  let at = 0;
  while (at < second.length && first.charCodeAt(at) === second.charCodeAt(at)) at++;
  return at;
}
