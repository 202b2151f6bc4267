/** The set-up on machines for which the npm packages have no Node or no browser. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findChromium } from '#browser';
import { findNode, setUpNode } from '../../scripts/setup/find-node.mjs';
import { setUpChromium } from '../../scripts/setup/chromium.mjs';

const base = mkdtempSync(join(tmpdir(), 'installed-test-'));
after(() => rmSync(base, { recursive: true, force: true }));
let machines = 0;

/** Creates a machine with these programs: path → what it prints. `~` is the home. */
function createMachine(programs: Record<string, string>): { root: string; home: string; path: string } {
  const root = join(base, String(machines++));
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  for (const [name, output] of Object.entries(programs)) {
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho ${output}\n`, { mode: 0o755 });
  }
  return { root, home, path: join(root, 'path') };
}

describe('a Node that is new enough', () => {
  it('is found in PATH, in Homebrew and in the folders of version managers, the newest version first', () => {
    for (const place of ['path/node', 'opt/homebrew/bin/node', 'opt/homebrew/opt/node@24/bin/node']) {
      const machine = createMachine({
        [place]: 'v24.21.0',
        '~/.nvm/versions/node/v18.1.0/bin/node': 'v18.1.0',
      });
      assert.deepEqual(findNode(machine), { path: join(machine.root, place), version: '24.21.0' });
    }
    const machine = createMachine({
      'path/node': 'v20.20.2',
      '~/.nvm/versions/node/v9.9.9/bin/node': 'v9.9.9',
      '~/.nvm/versions/node/v24.3.0/bin/node': 'v24.3.0',
      '~/.nvm/versions/node/v26.10.0/bin/node': 'v26.10.0',
    });
    assert.equal(findNode(machine)?.version, '26.10.0');
  });

  it('is linked where npm scripts look first, and only if this Node is too old', async () => {
    const machine = { ...createMachine({ 'usr/local/bin/node': 'v26.1.0' }), platform: 'darwin' };
    const lines: string[] = [];
    const options = { root: machine.root, machine, log: (line: string) => void lines.push(line) };
    await setUpNode({ ...options, own: '24.0.0' });
    assert.deepEqual(lines, []);
    await setUpNode({ ...options, own: '20.20.2' });
    const path = join(machine.root, 'usr/local/bin/node');
    assert.equal(readlinkSync(join(machine.root, 'node_modules/.bin/node')), path);
    assert.deepEqual(lines, [`npm scripts run ${path}`]);
  });

  it('is asked for if there is none', async () => {
    const machine = createMachine({ 'path/node': 'v22.1.0', 'usr/bin/node': 'nothing' });
    await assert.rejects(
      setUpNode({ root: machine.root, own: '22.1.0', log() {}, machine: { ...machine, platform: 'darwin' } }),
      /no Node 24 or newer was found \(this is 22\.1\.0\): install one/,
    );
  });
});

describe('an installed browser', () => {
  const CHROME = 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  const cases = [
    { platform: 'darwin', arch: 'arm64', place: CHROME },
    { platform: 'darwin', arch: 'x64', place: `~/${CHROME.replaceAll('Google Chrome', 'Chromium')}` },
    { platform: 'linux', arch: 'arm64', place: 'usr/bin/chromium' },
    { platform: 'linux', arch: 'arm64', place: 'usr/bin/google-chrome-stable' },
    { platform: 'linux', arch: 'arm64', place: 'usr/lib/chromium/chromium-headless-shell' },
  ];
  for (const { platform, arch, place } of cases)
    it(`is found by the set-up and by the service: ${platform} ${arch}, ${place}`, async () => {
      const { root, home } = createMachine({ [place]: 'a browser' });
      const path = place.startsWith('~/') ? join(home, place.slice(2)) : join(root, place);
      const machine = { platform, arch, root, home };
      assert.equal((await setUpChromium({ log() {}, machine })).path, path);
      const found = await findChromium({ chromiumPath: null, cacheDir: join(base, 'none') }, machine);
      assert.equal(found?.path, path);
    });

  it('is a headless shell rather than a full browser', async () => {
    const { root, home } = createMachine({
      'usr/bin/chromium': 'slow',
      'usr/bin/chromium-headless-shell': 'fast',
    });
    const machine = { platform: 'linux', arch: 'arm64', root, home };
    assert.match((await setUpChromium({ log() {}, machine })).path, /headless-shell$/);
  });

  it('is asked for if there is none', async () => {
    const { root, home } = createMachine({});
    await assert.rejects(
      setUpChromium({ log() {}, machine: { platform: 'darwin', arch: 'arm64', root, home } }),
      /no Chromium for darwin arm64, and none was found: install Google Chrome or Chromium, or set CHROMIUM_PATH/,
    );
  });
});
