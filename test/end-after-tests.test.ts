import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const PRELOAD = new URL('support/end-after-tests.ts', import.meta.url).pathname;

/** Runs a test file with this text as `npm test` does. */
function runTests(text: string): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'utility-api-leak-'));
  try {
    const file = join(folder, 'leak.test.mjs');
    writeFileSync(file, `import { it } from 'node:test';\n${text}`);
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--test', '--test-reporter=tap', '--import', PRELOAD, file],
      {
        encoding: 'utf8',
        env: { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_GRACE_MS: '1000' },
        timeout: 60_000,
      },
    );
    return { status, output: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a test file that leaves something open', () => {
  it('ends soon after its last test and fails, with all its results', () => {
    const { status, output } = runTests(
      `it('leaks', () => void setInterval(() => {}, 60_000));
       for (let n = 0; n < 50; n += 1) it('passes ' + n, () => {});`,
    );
    assert.equal(status, 1, output);
    assert.match(output, /left open after the last test: .*Timeout/);
    assert.match(output, /ok \d+ - passes 49/);
  });

  it('passes if it closes everything within the time of grace', () => {
    const { status, output } = runTests(`it('waits', () => void setTimeout(() => {}, 20));`);
    assert.equal(status, 0, output);
  });
});
