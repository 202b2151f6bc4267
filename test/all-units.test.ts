/**
 * Runs the tests that lie beside the units, all in this process: to start one for each file would take longer
 * than most of their tests. `node --test <file>` runs the tests of one unit. A file that measures memory or
 * the length of turns is named `*.alone.test.ts` and has a process of its own.
 */
import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { describe } from 'node:test';

const root = new URL('../', import.meta.url);
const files = await Array.fromAsync(glob('src/**/!(*.alone).test.ts', { cwd: root }));
assert.ok(files.length > 0);
// Each file is a suite: its hooks run around its own tests only.
for (const file of files.toSorted())
  void describe(file, async () => void (await import(new URL(file, root).href)));
