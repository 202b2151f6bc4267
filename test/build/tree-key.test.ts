/** The choice of `npm start` between the built tree and the sources. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { computeTreeKey, inspectTree, KEY_FILE, TREE, TREE_SOURCES } from '../../scripts/setup/tree-key.mjs';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'tree-key-'));
after(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Returns a file of a source, which may be a folder. */
const fileOf = (source: string): string =>
  extname(source) === '' && source === source.toLowerCase() ? `${source}/file.ts` : source;

function findEntry(): { stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(root, 'scripts/find-entry.mjs')], { encoding: 'utf8' });
}

before(() => {
  for (const source of TREE_SOURCES) write(fileOf(source), source);
  for (const name of ['find-entry.mjs', 'setup/tree-key.mjs'])
    cpSync(join(scripts, name), join(root, 'scripts', name));
});

it('without a tree, the sources run', () => {
  assert.equal(inspectTree(root), 'none');
  assert.deepEqual([findEntry().stdout, findEntry().stderr], ['src/main.ts\n', '']);
});

it('a tree of the same sources runs, whatever their tests are', () => {
  write(`${TREE}/${KEY_FILE}`, computeTreeKey(root));
  write('src/new.test.ts', 'a test');
  write('dashboard/dist/index.html', 'built');
  assert.deepEqual([findEntry().stdout, findEntry().stderr], [`${TREE}/src/main.ts\n`, '']);
});

it('a tree of other sources does not run, and npm start says so', () => {
  for (const source of TREE_SOURCES) {
    write(fileOf(source), 'changed');
    assert.equal(inspectTree(root), 'stale', source);
    write(fileOf(source), source);
  }
  assert.equal(inspectTree(root), 'current');
  write('src/new.ts', '');
  const { stdout, stderr } = findEntry();
  assert.equal(stdout, 'src/main.ts\n');
  assert.match(stderr, /^start: build\/ was built from other sources, so the sources run: "npm run build"/);
});

it('links to nothing, to folders and in circles do not keep npm start from working', () => {
  const key = computeTreeKey(root);
  for (const target of ['nowhere', '.', '..', 'self']) {
    const link = join(root, 'docs/self');
    symlinkSync(target, link);
    try {
      assert.equal(computeTreeKey(root), key, target);
    } finally {
      rmSync(link);
    }
  }
});
