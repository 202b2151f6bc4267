/** The page that a mistyped path probably means. */

const MAX_DISTANCE = 2;

/** Returns the known path closest to `path`; null if all differ in more than two characters. */
export function findSimilarPath(path: string, known: readonly string[]): string | null {
  const lower = path.toLowerCase();
  let best: string | null = null;
  let bestDistance = MAX_DISTANCE + 1;
  for (const candidate of known) {
    // Two characters of difference say nothing about a path of three.
    if (candidate.length <= MAX_DISTANCE + 1) continue;
    const distance = computeDistance(lower, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Computes the edit distance: insertions, deletions, substitutions and swaps of neighbors. */
function computeDistance(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, (older[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [older, last] = [last, row];
  }
  return last[b.length] ?? Infinity;
}
