import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLastUse } from './record-usage.ts';

const MINUTE_MS = 60_000;
const EXAMINED_PER_KEY = 10;
const NO_LIMIT = 1_000;

type LastUse = ReturnType<typeof createLastUse>;

/** Records a use of each key and marks it as written, at the same time. */
function write(uses: LastUse, keyIds: string[], atMs: number): void {
  for (const keyId of keyIds) uses.record(keyId, atMs);
  uses.recordWritten(uses.takeDue(atMs, false, NO_LIMIT), atMs);
}

describe('the last use of keys', () => {
  it('is due at the first request, with its newest time, once', () => {
    const uses = createLastUse();
    for (const atMs of [1, 3, 2]) uses.record('a', atMs);
    assert.deepEqual([...uses.takeDue(5, false, NO_LIMIT)], [['a', 3]]);
    assert.deepEqual([...uses.takeDue(5, false, NO_LIMIT)], []);
  });

  it('is then due a minute after it was written, if the key was used since', () => {
    const uses = createLastUse();
    const startMs = 9 * MINUTE_MS;
    const dueMs = startMs + MINUTE_MS;
    write(uses, ['a', 'b'], startMs);
    for (const ms of [7, 9, 8]) uses.record('a', startMs + ms);
    assert.deepEqual([...uses.takeDue(dueMs - 1, false, NO_LIMIT)], []);
    assert.deepEqual([...uses.takeDue(dueMs, false, NO_LIMIT)], [['a', startMs + 9]]);
    uses.record('b', dueMs);
    assert.deepEqual([...uses.takeDue(dueMs, false, NO_LIMIT)], [['b', dueMs]], 'b was forgotten');
  });

  it('is due at once at the end, if it is not written', () => {
    const uses = createLastUse();
    write(uses, ['a', 'b'], 0);
    uses.record('b', 5);
    assert.deepEqual([...uses.takeDue(6, true, NO_LIMIT)], [['b', 5]]);
  });

  it('is returned of at most so many keys, first uses before later ones', () => {
    const uses = createLastUse();
    write(uses, ['a', 'b'], 0);
    for (const keyId of ['a', 'b', 'c', 'd']) uses.record(keyId, 5);
    for (const keys of [['c'], ['d'], ['a'], ['b'], []])
      assert.deepEqual([...uses.takeDue(MINUTE_MS, false, 1).keys()], keys);
  });

  it('is searched for among ten keys per key that may be due, so that idle keys cost little', () => {
    for (const [idleKeys, found] of [
      [EXAMINED_PER_KEY - 1, [['busy'], []]],
      [EXAMINED_PER_KEY, [[], ['busy']]],
    ] as const) {
      const uses = createLastUse();
      const idle = Array.from({ length: idleKeys }, (_, index) => `idle${index}`);
      write(uses, [...idle, 'busy'], 0);
      uses.record('busy', 5);
      for (const keys of found) assert.deepEqual([...uses.takeDue(MINUTE_MS, false, 1).keys()], keys);
      write(uses, [...idle, 'busy'], MINUTE_MS);
      uses.record('busy', MINUTE_MS + 5);
      assert.deepEqual([...uses.takeDue(MINUTE_MS, true, 1).keys()], ['busy'], 'at the end among all');
    }
  });

  it('counts those recorded while the last ones were written', () => {
    const uses = createLastUse();
    uses.record('a', 1);
    const due = uses.takeDue(2, false, NO_LIMIT);
    uses.record('a', 3);
    uses.recordWritten(due, 4);
    assert.deepEqual([...uses.takeDue(5, false, NO_LIMIT)], [], 'written less than a minute ago');
    assert.deepEqual([...uses.takeDue(4 + MINUTE_MS, false, NO_LIMIT)], [['a', 3]]);
  });
});
