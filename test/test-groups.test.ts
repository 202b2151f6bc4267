import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, it } from 'node:test';
import { listGroupFiles, listTestFiles, TEST_GROUPS } from './support/test-groups.ts';

const cwd = new URL('../', import.meta.url);

describe('the groups of test files', () => {
  it('have every file once: in one group, or in a process of its own', () => {
    const globs = ['src/**/*.alone.test.ts', 'client/test/**/*.test.ts', 'test/**/*.test.ts'];
    const files = globSync(globs, { cwd }).filter((file) => !/^test\/(?:attacks|pdfa)\//.test(file));
    const run = [...TEST_GROUPS.flatMap(listGroupFiles), ...listTestFiles()];
    assert.deepEqual(run.toSorted(), files.toSorted());
  });

  it('have files each', () => {
    for (const group of TEST_GROUPS) assert.ok(listGroupFiles(group).length > 0, group);
  });
});
