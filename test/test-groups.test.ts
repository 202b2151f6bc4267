import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { listGroupFiles, listTestFiles, LONG_FILES, TEST_GROUPS } from './support/test-groups.ts';

const cwd = new URL('../', import.meta.url);
const groups = Object.keys(TEST_GROUPS);

/** Returns `a{b,c}` as `ab` and `ac`. */
function expandBraces(glob: string): string[] {
  const [, start = glob, names = '', end = ''] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? [];
  return names.split(',').map((name) => start + name + end);
}

describe('the groups of test files', () => {
  it('have every file once: in one group, or in a process of its own', () => {
    const globs = ['src/**/*.alone.test.ts', 'client/test/**/*.test.ts', 'test/**/*.test.ts'];
    const files = globSync(globs, { cwd }).filter((file) => !/^test\/(?:attacks|pdfa)\//.test(file));
    const run = [...groups.flatMap(listGroupFiles), ...listTestFiles()];
    assert.deepEqual(run.toSorted(), files.toSorted());
  });

  it('name no file that does not exist', () => {
    for (const name of Object.values(TEST_GROUPS).flat().flatMap(expandBraces))
      assert.ok(globSync(`${name}.test.ts`, { cwd }).length > 0, name);
  });

  it('start after the long files, each of which exists and starts once', () => {
    const files = listTestFiles();
    assert.deepEqual(files.slice(0, LONG_FILES.length), LONG_FILES);
    assert.equal(new Set(LONG_FILES).size, LONG_FILES.length);
    const sorted = files.slice(LONG_FILES.length);
    assert.deepEqual(sorted, sorted.toSorted());
    for (const file of LONG_FILES) assert.ok(existsSync(new URL(file, cwd)), file);
  });

  it('have a file each that runs them', () => {
    const names = globSync('test/together/*.test.ts', { cwd }).map((file) => basename(file, '.test.ts'));
    assert.deepEqual(names.toSorted(), groups.toSorted());
  });
});
