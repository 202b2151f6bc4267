import { getLetterClass, LETTER_CLASSES } from '../../src/email/suggest/own-domain.ts';

/** Letters that were never seen together could have been once in this many times. */
const UNSEEN = 0.5;

/** Counts which letters follow one another in names, and formats the costs as `typo-rates.json` has them. */
export function countLetterPairs(names: readonly string[]): string[] {
  const counts = Array.from({ length: LETTER_CLASSES }, () => new Float64Array(LETTER_CLASSES).fill(UNSEEN));
  for (const name of names) {
    let before = 0;
    for (let at = 0; at <= name.length; at++) {
      const letter = getLetterClass(name.charCodeAt(at));
      (counts[before] as Float64Array)[letter]!++;
      before = letter;
    }
  }
  return counts.map((row) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    return Array.from(row, (count) =>
      Math.min(35, Math.round(-4 * Math.log(count / total))).toString(36),
    ).join('');
  });
}
