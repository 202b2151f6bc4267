/**
 * Runs what `npm test` runs, in the order of `listTestFiles`: `node --test` sorts its files by name, so that
 * the longest could start last and run alone. Options: `--test-timeout` in milliseconds and
 * `--test-rerun-failures`, as of `node --test`; the last one of a name is used.
 */
import { tmpdir } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { bundlePackages } from '../test/support/bundle-packages.ts';
import { createMemoryFolder } from '../test/support/memory-folder.ts';
import { isFullRun } from '../test/support/sample.ts';
import { listTestFiles } from '../test/support/test-groups.ts';

/** More than there are processors: many tests wait for processes, timers and disks. */
const CONCURRENCY = 5;
const TIMEOUT_MS = 240_000;

const { values } = parseArgs({
  options: { 'test-timeout': { type: 'string' }, 'test-rerun-failures': { type: 'string' } },
});
const rerunFailuresFilePath = values['test-rerun-failures'];
const interrupted = new AbortController();
// An interrupted run still prints which tests have failed.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    process.exitCode = 1;
    interrupted.abort();
  });

// A full run loads the packages as they are published, and writes to the disk.
if (!isFullRun) {
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} ${await bundlePackages()}`.trim();
  process.env['TEST_KEPT_FOLDER'] ??= tmpdir();
  process.env['TMPDIR'] = createMemoryFolder() ?? tmpdir();
}

const results = run({
  files: listTestFiles(),
  concurrency: CONCURRENCY,
  timeout: Number(values['test-timeout'] ?? TIMEOUT_MS),
  execArgv: ['--import', './test/support/end-after-tests.ts'],
  signal: interrupted.signal,
  ...(rerunFailuresFilePath !== undefined && { rerunFailuresFilePath }),
});
results.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1;
});
results.compose(new spec()).pipe(process.stdout);
