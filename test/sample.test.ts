import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pickRows, sampleTests } from './support/sample.ts';

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

describe('a file of long tests', () => {
  const runNames = (oneIn: number, isFull: boolean): string[] => {
    const run: string[] = [];
    const define = sampleTests(
      oneIn,
      (name, { skip }) => {
        if (skip === undefined) run.push(name);
      },
      isFull,
    );
    for (let number = 0; number < 12; number += 1) define(String(number), { timeout: 1 }, () => {});
    return run;
  };

  it('runs its share of them, the same ones each time, and all in a full run', () => {
    assert.equal(runNames(3, false).length, 4);
    assert.deepEqual(runNames(3, false), runNames(3, false));
    assert.equal(runNames(3, true).length, 12);
  });
});
