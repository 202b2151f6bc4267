import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSortedId } from './request-log.ts';

/** Later than the ids of other tests in this process. */
const START_MS = Date.parse('2100-01-01T00:00:00Z');

describe('a sorted id', () => {
  it('is the time, the number of the call within its millisecond, from 0, and the process', () => {
    const ids = [START_MS, START_MS, START_MS, START_MS + 1].map(createSortedId);
    assert.deepEqual(
      ids.map((id) => [Number.parseInt(id.slice(0, 9), 36) - START_MS, Number.parseInt(id.slice(9, 13), 36)]),
      [
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 0],
      ],
    );
    for (const id of ids) assert.match(id, /^[0-9a-z]{13}[0-9a-f]{8}$/);
    assert.equal(new Set(ids.map((id) => id.slice(13))).size, 1);
  });

  it('follows the id of the call before, also if the clock is set back', () => {
    const ids = [10, 12, 12, 5, 11, 12, 13].map((ms) => createSortedId(START_MS + ms));
    assert.deepEqual(ids.toSorted(), ids);
    assert.equal(new Set(ids).size, ids.length);
  });
});
