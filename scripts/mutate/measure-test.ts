import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecuted } from './find-executed.ts';
import type { Mutant } from './find-mutants.ts';
import { runTestFile } from './run-test-file.ts';

const TIMEOUT_MS = 300_000;

export interface MeasuredTest {
  file: string;
  /** Its time without a mutant. */
  ms: number;
  /** The mutants whose place it executes, or may execute. */
  executes: ReadonlySet<Mutant>;
}

/**
 * Runs a test file without a mutant. Some bounds on time do not hold while coverage is recorded: a file that
 * fails runs again without it, and then counts as one that executes all of `mutants`. Returns null if it
 * fails again: then its failures mean nothing.
 */
export async function measureTest(
  root: string,
  file: string,
  mutants: readonly Mutant[],
): Promise<MeasuredTest | null> {
  const folder = mkdtempSync(join(tmpdir(), 'utility-api-coverage-'));
  try {
    const env = { NODE_V8_COVERAGE: folder };
    const { outcome, ms } = await runTestFile({ root, file, timeoutMs: TIMEOUT_MS, env });
    if (outcome === 'passed') {
      const reports = globSync('*.json', { cwd: folder }).map((name) => join(folder, name));
      return { file, ms, executes: findExecuted(root, reports, mutants) };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { outcome, ms } = await runTestFile({ root, file, timeoutMs: TIMEOUT_MS });
  return outcome === 'passed' ? { file, ms, executes: new Set(mutants) } : null;
}
