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
  /** The mutants whose place it executes. */
  executes: ReadonlySet<Mutant>;
}

/** Runs a test file without a mutant. Returns null if it fails twice: then its failures mean nothing. */
export async function measureTest(
  root: string,
  file: string,
  mutants: readonly Mutant[],
): Promise<MeasuredTest | null> {
  for (let tries = 0; tries < 2; tries++) {
    const folder = mkdtempSync(join(tmpdir(), 'utility-api-coverage-'));
    try {
      const env = { NODE_V8_COVERAGE: folder };
      const { outcome, ms } = await runTestFile({ root, file, timeoutMs: TIMEOUT_MS, env });
      if (outcome !== 'passed') continue;
      const reports = globSync('*.json', { cwd: folder }).map((name) => join(folder, name));
      return { file, ms, executes: findExecuted(root, reports, mutants) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return null;
}
