import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pickRows } from './support/sample.ts';

const rows = Array.from({ length: 40 }, (_, number) => number);

describe('the sample of a long table', () => {
  it('has its share of the rows, in their order, and the same ones each time', () => {
    const picked = pickRows(rows, 4, () => '');
    assert.equal(picked.length, 10);
    assert.deepEqual(
      picked,
      [...picked].sort((one, other) => one - other),
    );
    assert.deepEqual(
      pickRows(rows, 4, () => ''),
      picked,
    );
  });

  it('has a row of each class, however small', () => {
    const picked = pickRows(rows, 10, (row) => (row === 17 ? 'rare' : String(row % 2)));
    assert.ok(picked.includes(17));
    assert.ok(picked.some((row) => row % 2 === 0) && picked.some((row) => row % 2 === 1 && row !== 17));
  });
});
