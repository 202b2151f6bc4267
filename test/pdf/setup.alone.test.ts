import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findChromium } from '#browser';

const run = promisify(execFile);
const scripts = new URL('../../scripts/setup/', import.meta.url);
const script = fileURLToPath(new URL('chromium.mjs', scripts));
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

void describe('the set-up of the fonts', () => {
  interface Fonts {
    fontconfigFile: string;
    lines: string[];
    ms: number;
  }

  /** Runs the set-up in a process of its own, without a browser that could index the fonts. */
  async function setUpFonts(root: string): Promise<Fonts> {
    const code = `process.umask(0o077); const lines = []; const t = performance.now(); const { setUpFonts } = await import(${JSON.stringify(new URL('fonts.mjs', scripts).href)}); const answer = await setUpFonts({ log: (line) => lines.push(line) }); console.log(JSON.stringify({ ...answer, ms: performance.now() - t, lines }))`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], {
      env: { PATH: process.env['PATH'] ?? '', CHROMIUM_CACHE: root, CHROMIUM_PATH: '/nonexistent' },
    });
    return JSON.parse(stdout) as Fonts;
  }

  void it('installs once, also when two start together, for everyone to read, where the service looks', async () => {
    const root = join(cache, 'fonts');
    const answers = await Promise.all([setUpFonts(root), setUpFonts(root)]);
    const file = answers[0]?.fontconfigFile ?? '';
    assert.equal(answers[1]?.fontconfigFile, file);
    const files = readdirSync(join(file, '..', 'files'));
    for (const name of ['Carlito_700Bold_Italic.ttf', 'SourceHanSansCN.min.otf', 'DejaVuSans.ttf'])
      assert.ok(files.includes(name), `${name} in ${files.join()}`);
    for (const name of files)
      assert.equal(statSync(join(file, '..', 'files', name)).mode & 0o044, 0o044, name);
    assert.deepEqual((await setUpFonts(root)).lines, []);
    const found = await findChromium({ chromiumPath: process.execPath, cacheDir: root });
    assert.equal(found?.fontconfigFile, file);
  });

  void it('installs again when a package or the configuration has changed', async () => {
    const root = join(cache, 'changed');
    const { fontconfigFile } = await setUpFonts(root);
    for (const path of [fontconfigFile, join(fontconfigFile, '..', 'manifest.json')]) {
      const right = readFileSync(path, 'utf8');
      writeFileSync(path, right.replace('arimo', 'other').replace('Arimo', 'Other'));
      // What it does, and how long it took.
      assert.equal((await setUpFonts(root)).lines.length, 2, path);
      assert.equal(readFileSync(path, 'utf8'), right);
    }
  });

  void it('the service uses the fonts of the highest number that are complete', async () => {
    const root = join(cache, 'numbers');
    for (const name of ['fonts-2', 'fonts-10', 'fonts-11']) {
      mkdirSync(join(root, name), { recursive: true });
      if (name !== 'fonts-11') writeFileSync(join(root, name, 'manifest.json'), '{}');
    }
    const found = await findChromium({ chromiumPath: process.execPath, cacheDir: root });
    assert.equal(found?.fontconfigFile, join(root, 'fonts-10', 'fonts.conf'));
  });

  void it('an unknown region is an error that lists the regions', async () => {
    await assert.rejects(
      run(process.execPath, [fileURLToPath(new URL('regional-fonts.mjs', scripts)), 'ja', 'xx'], {
        env: { ...process.env, CHROMIUM_CACHE: cache },
      }),
      /Unknown: xx\. The regions are ja ko zh-hk zh-tw\./,
    );
  });

  void it(
    'installs the font of a region once',
    { skip: process.env['TEST_FULL'] === '1' ? false : 'it downloads 29 MB: TEST_FULL=1' },
    async () => {
      const root = join(cache, 'regions');
      await setUpFonts(root);
      const install = async (): Promise<string> => {
        const { stdout } = await run(
          process.execPath,
          [fileURLToPath(new URL('regional-fonts.mjs', scripts)), 'ja'],
          { env: { ...process.env, CHROMIUM_CACHE: root, CHROMIUM_PATH: '/nonexistent' } },
        );
        return stdout;
      };
      assert.match(
        await install(),
        /ja: installed\n(?:.*\n)*fonts: A service that is running uses them after a restart\.$/m,
      );
      assert.deepEqual(readdirSync(join(root, 'fonts-regional', 'ja')).toSorted(), [
        'NotoSansJP_400Regular.ttf',
        'NotoSansJP_700Bold.ttf',
      ]);
      const again = await install();
      assert.match(again, /ja: installed already/);
      assert.doesNotMatch(again, /restart/);
    },
  );
});
