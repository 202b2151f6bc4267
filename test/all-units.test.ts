/**
 * Runs the tests that lie beside the units, all in this process: to start one for each file would take longer
 * than most of their tests. `node --test <file>` runs the tests of one unit. A file that measures memory or
 * the length of turns is named `*.alone.test.ts` and has a process of its own.
 */
import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { defineSuites } from './support/run-together.ts';

const root = new URL('../', import.meta.url);
const files = await Array.fromAsync(glob('src/**/!(*.alone).test.ts', { cwd: root }));
assert.ok(files.length > 0);
defineSuites(files.toSorted());
