/** Returns the characters of a word as bits: one per letter; other characters share the bits above. */
export function getLetterSet(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    letters |= 1 << (unit >= 0x61 && unit <= 0x7a ? unit - 0x61 : 26 + (unit & 3));
  }
  return letters;
}

/**
 * Returns the least number of edits between two words: the larger count of characters that only one of them
 * has.
 */
export function countMissingLetters(first: number, second: number): number {
  return Math.max(countBits(first & ~second), countBits(second & ~first));
}

function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
