import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../scripts/setup/chromium.mjs', import.meta.url));
const cache = mkdtempSync(join(tmpdir(), 'setup-test-'));
chmodSync(cache, 0o755);
after(() => rmSync(cache, { recursive: true, force: true }));

interface Answer {
  path: string;
  source: string;
  ms: number;
  lines: string[];
}

/** Runs the set-up in a process of its own, under a umask that would lock others out. */
async function setUp(environment: Record<string, string> = {}): Promise<Answer> {
  const code = `process.umask(0o077); const lines = []; const t = performance.now(); const { setUpChromium } = await import(${JSON.stringify(script)}); const answer = await setUpChromium({ log: (line) => lines.push(line) }); console.log(JSON.stringify({ ...answer, ms: performance.now() - t, lines }))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], {
    env: { PATH: process.env['PATH'] ?? '', CHROMIUM_CACHE: cache, ...environment },
  });
  return JSON.parse(stdout) as Answer;
}

const hasOther = existsSync('/usr/lib/chromium/chromium-headless-shell');
const isSkipped =
  process.env['TEST_FULL'] !== '1' || process.arch !== 'x64' || hasOther
    ? 'it unpacks 600 MB: TEST_FULL=1, where no other browser is installed'
    : false;

void describe('the set-up of the browser', () => {
  void it('takes CHROMIUM_PATH at its word, and says when it is wrong', async () => {
    assert.equal((await setUp({ CHROMIUM_PATH: process.execPath })).source, 'CHROMIUM_PATH');
    await assert.rejects(setUp({ CHROMIUM_PATH: '/nonexistent' }), /CHROMIUM_PATH is \/nonexistent/);
  });

  void it(
    'unpacks once, also when two start together, for everyone to read',
    { skip: isSkipped },
    async () => {
      const answers = await Promise.all([setUp(), setUp()]);
      const path = answers[0]?.path ?? '';
      assert.equal(answers[1]?.path, path);
      assert.equal(statSync(path).mode & 0o777, 0o755);
      assert.deepEqual(
        readdirSync(cache).filter((name) => name.startsWith('.')),
        [],
      );
      const again = [await setUp(), await setUp(), await setUp()];
      for (const { lines } of again) assert.deepEqual(lines, []);
      const fastestMs = Math.min(...again.map(({ ms }) => ms));
      assert.ok(fastestMs < 100, `${fastestMs} ms`);
    },
  );

  void it('unpacks again what was cut off', { skip: isSkipped }, async () => {
    const { path } = await setUp();
    const size = statSync(path).size;
    truncateSync(path, 1_000);
    await setUp();
    assert.equal(statSync(path).size, size);
    assert.equal(
      (JSON.parse(readFileSync(join(path, '..', 'manifest.json'), 'utf8')) as { bytes: number }).bytes,
      size,
    );
  });
});
