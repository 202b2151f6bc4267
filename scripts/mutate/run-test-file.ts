import { spawn } from 'node:child_process';

export type TestOutcome = 'passed' | 'failed' | 'timeout';

interface TestRun {
  root: string;
  file: string;
  timeoutMs: number;
  /** Added to the environment of the tests. */
  env?: NodeJS.ProcessEnv;
}

/**
 * Runs one test file in a checkout until its first failed test or the time limit. Returns the outcome and the
 * time.
 */
export function runTestFile({
  root,
  file,
  timeoutMs,
  env,
}: TestRun): Promise<{ outcome: TestOutcome; ms: number }> {
  const startMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<{ outcome: TestOutcome; ms: number }>();
  // A group of its own: what a test starts ends with it.
  const child = spawn(process.execPath, ['--test-reporter=tap', file], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
  });
  const settle = (outcome: TestOutcome): void => {
    clearTimeout(timer);
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    resolve({ outcome, ms: performance.now() - startMs });
  };
  const timer = setTimeout(() => settle('timeout'), timeoutMs);
  let line = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (line + chunk.toString()).split('\n');
    line = lines.pop() ?? '';
    if (lines.some((text) => /^\s*not ok\b(?!.*# (TODO|SKIP))/.test(text))) settle('failed');
  });
  child.on('error', () => settle('failed'));
  child.on('close', (code) => settle(code === 0 ? 'passed' : 'failed'));
  return promise;
}
