import { it, type TestFn, type TestOptions } from 'node:test';
import { seeded } from './random.ts';

/** True if all of what is long runs (`npm test -- full`) instead of samples. */
export const isFullRun = process.env['TEST_FULL'] === '1';

const SEED = 11;

/**
 * Returns the rows that `npm test` runs, in their order: one in `oneIn` of each class, at least one, and the
 * same ones on every run. A full run has all of them.
 */
export function sample<Row>(
  rows: readonly Row[],
  oneIn: number,
  classify: (row: Row) => string = () => '',
): readonly Row[] {
  return isFullRun ? rows : pickRows(rows, oneIn, classify);
}

/** Returns one in `oneIn` rows of each class, chosen by a fixed seed. */
export function pickRows<Row>(
  rows: readonly Row[],
  oneIn: number,
  classify: (row: Row) => string,
): readonly Row[] {
  const below = seeded(SEED);
  const picked = new Set<Row>();
  for (const members of Map.groupBy(rows, classify).values()) {
    const left = [...members];
    for (let count = Math.ceil(members.length / oneIn); count > 0; count -= 1)
      for (const row of left.splice(below(left.length), 1)) picked.add(row);
  }
  return rows.filter((row) => picked.has(row));
}

/** Defines a test, as `it` does. */
type DefineTest = (name: string, options: TestOptions, run: TestFn) => unknown;

/**
 * Returns a function that defines tests as `it` does. Of `oneIn` consecutive tests `npm test` runs one, the
 * same one on every run, and skips the others; a full run has all of them. For files of long tests that do
 * not depend on each other.
 */
export function sampleTests(oneIn: number, define: DefineTest = it, isFull = isFullRun) {
  const below = seeded(SEED);
  let count = 0;
  let picked = 0;
  return (name: string, ...given: [TestFn] | [TestOptions, TestFn]): void => {
    const [options, run] = given.length === 1 ? [{}, given[0]] : given;
    const place = count % oneIn;
    if (place === 0) picked = below(oneIn);
    count += 1;
    const isRun = isFull || place === picked;
    define(name, isRun ? options : { ...options, skip: 'npm test -- full runs it' }, run);
  };
}
