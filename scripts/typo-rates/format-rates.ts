import type { ErrorCounts } from './count-errors.ts';

/** Formats the tables of `typo-rates.ts`, as oxfmt does. */
export function formatRates({ letters, others, errors }: ErrorCounts, pairs: readonly string[]): string {
  const letterRows = Object.entries(letters).map(
    ([name, rates]) => `  ${name}: '${rates.map((rate) => rate.join('/')).join(' ')}',`,
  );
  const otherRows = Object.entries(others).map(([name, rate]) => `  ${name}: '${rate.join('/')}',`);
  return `export const LETTER_RATES = {
${letterRows.join('\n')}
} as const;

/** Errors that are not in one letter: \`seen/typos\`. */
export const OTHER_RATES = {
${otherRows.join('\n')}
} as const;

/** Typos with one error, and with two. */
export const ERROR_COUNTS: readonly [one: number, two: number] = [${errors.join(', ')}];

/**
 * The cost of each letter (column) after another (row), in quarters of a natural logarithm as digits to the
 * base 36. The first row and column are the ends of a name, then \`a\` to \`z\`, then any other character.
 */
export const LETTER_PAIRS: readonly string[] = [
${pairs.map((row) => `  '${row}',`).join('\n')}
];
`;
}
