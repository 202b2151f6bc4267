import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './find-mutants.ts';

/** The members of V8's coverage report that are used here. Offsets count UTF-16 units, as in a Mutant. */
interface CoverageReport {
  result: { url: string; functions: { ranges: CoverageRange[] }[] }[];
}

interface CoverageRange {
  startOffset: number;
  endOffset: number;
  count: number;
}

/** Returns those of `mutants` whose place was executed by a process that wrote one of the `reports`. */
export function findExecuted(
  root: string,
  reports: readonly string[],
  mutants: readonly Mutant[],
): Set<Mutant> {
  const byUrl = Map.groupBy(mutants, ({ path }) => pathToFileURL(join(root, path)).href);
  const executed = new Set<Mutant>();
  for (const report of reports) {
    const { result } = JSON.parse(readFileSync(report, 'utf8')) as CoverageReport;
    for (const { url, functions } of result) {
      const ranges = byUrl.has(url) ? functions.flatMap((entry) => entry.ranges) : [];
      for (const mutant of byUrl.get(url) ?? []) if (isExecuted(ranges, mutant.place)) executed.add(mutant);
    }
  }
  return executed;
}

/** Ranges are nested: the smallest one around an offset has its count. */
function isExecuted(ranges: readonly CoverageRange[], offset: number): boolean {
  let smallest: CoverageRange | undefined;
  for (const range of ranges) {
    if (offset < range.startOffset || offset >= range.endOffset) continue;
    if (smallest === undefined || getLength(range) <= getLength(smallest)) smallest = range;
  }
  return smallest !== undefined && smallest.count > 0;
}

function getLength({ startOffset, endOffset }: CoverageRange): number {
  return endOffset - startOffset;
}
