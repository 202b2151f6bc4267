import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './find-mutants.ts';
import type { MeasuredTest } from './measure-test.ts';
import { runTestFile } from './run-test-file.ts';

/** A test file fails if it takes this many times its usual time, and at least MIN_TIMEOUT_MS. */
const SLOWNESS = 4;
const MIN_TIMEOUT_MS = 30_000;

export interface Killer {
  file: string;
  outcome: 'failed' | 'timeout';
}

/**
 * Returns the first of `tests` that fails or exceeds its time limit twice with a mutant, null if none does.
 * A test that fails once may have been disturbed by the load of the machine.
 */
export async function findKiller(
  root: string,
  mutant: Mutant,
  tests: readonly MeasuredTest[],
): Promise<Killer | null> {
  const path = join(root, mutant.path);
  const original = readFileSync(path, 'utf8');
  writeFileSync(path, original.slice(0, mutant.start) + mutant.replacement + original.slice(mutant.end));
  try {
    for (const { file, ms } of tests) {
      const run = { root, file, timeoutMs: Math.max(MIN_TIMEOUT_MS, SLOWNESS * ms) };
      if ((await runTestFile(run)).outcome === 'passed') continue;
      const { outcome } = await runTestFile(run);
      if (outcome !== 'passed') return { file, outcome };
    }
    return null;
  } finally {
    writeFileSync(path, original);
  }
}
