/** The letters in which a corrected text differs from the original. */

/**
 * Finds the part of `text` between what it has in common with `original` at its start and at its end. An
 * empty part means that characters were only removed.
 */
export function findChangedSpan(text: string, original: string): [start: number, end: number] {
  const shorter = Math.min(text.length, original.length);
  let start = 0;
  while (start < shorter && text[start] === original[start]) start += 1;
  let same = 0;
  while (same < shorter - start && text[text.length - 1 - same] === original[original.length - 1 - same])
    same += 1;
  return [start, text.length - same];
}
