import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = new URL('../', import.meta.url);
const PATIENCE = new URL('test/support/patience.ts', root).href;

const ONCE = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { describe, it } from 'node:test';
  import { patientMs } from '${PATIENCE}';
  describe('a suite', () => {
    it('passes', () => {});
    it('is late once', () => {
      const mark = new URL('mark', import.meta.url);
      const isFirst = !existsSync(mark);
      writeFileSync(mark, '');
      if (isFirst) throw new Error('not in time');
    });
    it.skip('is skipped', () => {});
  });
  it('has the slowness', () => {
    if (!(process.env.TEST_SLOWNESS >= 1 && patientMs(10) >= 30)) throw new Error('unknown');
  });`;
const GROUP = `
  import { defineSuites } from '${new URL('test/support/run-together.ts', root).href}';
  defineSuites(['once', 'steady'].map((name) => new URL(name + '.test.mjs', import.meta.url).pathname));`;
const STEADY = `
  import { it } from 'node:test';
  it('is steady', () => {});`;
const ALWAYS = `
  import { it } from 'node:test';
  it('has a fault', () => { throw new Error('a fault'); });
  it('hangs', { timeout: 50 }, () => new Promise((resolve) => setTimeout(resolve, 500)));`;

/** Runs test files with these texts, by their names, as `npm test` runs its files. */
function runFiles(
  texts: Record<string, string>,
  started = Object.keys(texts),
): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'utility-api-run-tests-'));
  try {
    const locate = (name: string): string => join(folder, `${name}.test.mjs`);
    for (const [name, text] of Object.entries(texts)) writeFileSync(locate(name), text);
    const files = started.map(locate);
    const { status, stdout } = spawnSync(process.execPath, ['scripts/run-tests.ts', ...files], {
      cwd: root,
      encoding: 'utf8',
      // The packages need not be bundled for these files.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_FULL: '1' },
    });
    return { status, output: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the lines of the summary at the end. */
function readTotals(output: string): Record<string, number> {
  const lines = output.matchAll(/^ℹ (tests|suites|pass|fail|cancelled|skipped) (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', count]) => [name, Number(count)]));
}

describe('npm test', () => {
  it('runs a file with failed tests again, alone: what passes then counts as passed and is listed', () => {
    const { status, output } = runFiles({ once: ONCE });
    assert.equal(status, 0, output);
    assert.match(output, /Error: not in time/, 'the failure is shown');
    assert.match(output, /^ℹ failed at first, passed alone: .*once\.test\.mjs: is late once$/m);
    const totals = { tests: 4, suites: 1, pass: 3, fail: 0, cancelled: 0, skipped: 1 };
    assert.deepEqual(readTotals(output), totals);
  });

  it('runs the file again, not the group that it is in', () => {
    const { status, output } = runFiles({ group: GROUP, once: ONCE, steady: STEADY }, ['group']);
    assert.equal(status, 0, output);
    assert.match(output, /^ℹ failed at first, passed alone: .*once\.test\.mjs: is late once$/m);
    assert.equal(output.match(/✔ is steady/g)?.length, 1);
    const totals = { tests: 5, suites: 2, pass: 4, fail: 0, cancelled: 0, skipped: 1 };
    assert.deepEqual(readTotals(output), totals);
  });

  it('fails if a test fails again', () => {
    const { status, output } = runFiles({ always: ALWAYS, once: ONCE });
    assert.equal(status, 1, output);
    assert.match(output, /^ℹ failed again: .*always\.test\.mjs: has a fault; hangs$/m);
    assert.match(output, /^ℹ failed at first, passed alone: .*once\.test\.mjs: is late once$/m);
    const totals = { tests: 6, suites: 1, pass: 3, fail: 1, cancelled: 1, skipped: 1 };
    assert.deepEqual(readTotals(output), totals);
    const summary = output.slice(output.indexOf('ℹ duration_ms'));
    assert.match(summary, /failing tests:[^]*has a fault[^]*hangs/);
    assert.doesNotMatch(summary, /is late once/);
  });

  it('fails if a file cannot be loaded, or ends before its tests', () => {
    const { status, output } = runFiles({ broken: 'import "./none.mjs";', ends: 'process.exit(3);' });
    assert.equal(status, 1, output);
    assert.equal(readTotals(output)['fail'], 2, output);
  });

  it('does not run files again if many have failed tests', () => {
    const names = Array.from({ length: 21 }, (_, n) => [`n${n}`, ALWAYS]);
    const { status, output } = runFiles(Object.fromEntries(names));
    assert.equal(status, 1, output);
    assert.match(output, /^ℹ 21 files have failed tests: none is run again$/m);
    assert.equal(readTotals(output)['fail'], 21);
  });
});
