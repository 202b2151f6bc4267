/**
 * Runs what `npm test` runs, in the order of `listTestFiles`: `node --test` sorts its files by name, so that
 * the longest could start last and run alone. Files with failed tests are run again, alone: what fails then
 * too counts as failed, and what failed only at first is listed. Arguments: test files in place of all;
 * `--test-timeout` in milliseconds, the last one is used.
 */
import { tmpdir } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { bundlePackages } from '../test/support/bundle-packages.ts';
import { createMemoryFolder } from '../test/support/memory-folder.ts';
import { measurePatience } from '../test/support/patience.ts';
import { isFullRun } from '../test/support/sample.ts';
import { listTestFiles } from '../test/support/test-groups.ts';
import { isSummary, TestResults } from '../test/support/test-results.ts';

/** More than there are processors: many tests wait for processes, timers and disks. */
const CONCURRENCY = 5;
/** Of a test on an idle machine, and on any. */
const TIMEOUT_MS = 240_000;
const MAX_TIMEOUT_MS = 900_000;
/** If more files fail, the cause is not a lack of time. */
const MAX_AGAIN = 20;

const { values, positionals } = parseArgs({
  options: { 'test-timeout': { type: 'string' } },
  allowPositionals: true,
});
const startMs = performance.now();
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

const reporter = new spec();
reporter.pipe(process.stdout);

const results = await runFiles(positionals.length > 0 ? positionals : listTestFiles(), CONCURRENCY);
const again = results.listFailedFiles();
if (again.length > 0 && again.length <= MAX_AGAIN && !interrupted.signal.aborted) await runAgain(again);
else if (again.length > MAX_AGAIN && !interrupted.signal.aborted)
  print(`${again.length} files have failed tests: none is run again`);
const failed = results.listFailedFiles();
if (failed.length > 0) process.exitCode = 1;
for (const line of results.formatTotals(performance.now() - startMs)) print(line);
reporter.end();

/** Runs these files; what they print and their results go to the reporter, the totals do not. */
async function runFiles(files: string[], concurrency: number): Promise<TestResults> {
  const found = new TestResults();
  const { slowness, env } = await measurePatience();
  print(`deadlines are those of an idle machine, times ${slowness}`);
  const events = run({
    files,
    concurrency,
    timeout: Number(values['test-timeout'] ?? Math.min(TIMEOUT_MS * slowness, MAX_TIMEOUT_MS)),
    execArgv: ['--import', './test/support/end-after-tests.ts'],
    signal: interrupted.signal,
    env: { ...process.env, ...env },
  });
  for await (const event of events) {
    found.add(event);
    if (!isSummary(event)) reporter.write(event);
  }
  return found;
}

/** Runs files with failed tests one after the other and replaces their results. */
async function runAgain(files: string[]): Promise<void> {
  // The reporter lists the failures of the first run, with their errors.
  reporter.write({ type: 'test:summary', data: {} });
  print(`${files.length} files have failed tests and are run again, one at a time: ${files.join(', ')}`);
  const later = await runFiles(files, 1);
  const failures = new Map(files.map((file) => [file, results.listFailures(file)]));
  results.replace(files, later);
  const failed = results.listFailedFiles();
  for (const [file, names] of failures) {
    const verdict = failed.includes(file) ? 'failed again' : 'failed at first, passed alone';
    print(`${verdict}: ${file}: ${names.join('; ')}`);
  }
}

/** Prints a line in the form of the runner's totals. */
function print(message: string): void {
  reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } });
}
