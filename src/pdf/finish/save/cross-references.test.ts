import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CrossReferences, ROW_BYTES } from './cross-references.ts';

/** Undoes the predictor: each row begins with its filter and is the difference from the row before. */
function parseRows(formatted: Buffer): number[][] {
  const rows: number[][] = [];
  for (let at = 0; at < formatted.length; at += ROW_BYTES + 1) {
    const row = [...formatted.subarray(at, at + ROW_BYTES + 1)];
    assert.equal(row.shift(), 2, 'the filter of each row is "up"');
    const before = rows.at(-1) ?? [];
    rows.push(row.map((byte, index) => (byte + (before[index] ?? 0)) & 0xff));
  }
  return rows;
}

void it('the rows of a cross-reference stream are exactly those of its objects', () => {
  const references = new CrossReferences();
  references.setOffset(1, 0x01_02_03_04);
  references.setStream(2, 700, 9);
  assert.deepEqual(parseRows(references.formatRows(3)), [
    [0, 0, 0, 0, 0, 0, 0],
    [1, 1, 2, 3, 4, 0, 0],
    [2, 0, 0, 2, 188, 0, 9],
  ]);
  assert.equal(references.formatRows(3).length, 3 * (ROW_BYTES + 1));
});

void it('any number of an object has a row', () => {
  const references = new CrossReferences();
  references.setOffset(5_000, 7);
  const rows = parseRows(references.formatRows(6_000));
  assert.equal(rows.length, 6_000);
  assert.deepEqual(rows[5_000], [1, 0, 0, 0, 7, 0, 0]);
  assert.deepEqual(rows[5_999], [0, 0, 0, 0, 0, 0, 0]);
});
