import assert from 'node:assert/strict';
import { it } from 'node:test';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { inflateHead } from './inflate-head.ts';

/** Pseudo-random numbers below `limit`, the same in each run. */
let seed = 7;
function next(limit: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * limit);
}

/** Text of few letters has long matches, and text of many has long codes. */
function createSource(): Buffer {
  const letters = [1, 2, 5, 20, 256][next(5)] ?? 1;
  return Buffer.from(Array.from({ length: next(4_000) }, () => next(letters) * next(letters)));
}

/** Each way of compressing: stored, fixed and dynamic codes. */
const WAYS = [
  { level: 0 },
  { strategy: constants.Z_FIXED },
  { strategy: constants.Z_HUFFMAN_ONLY },
  { strategy: constants.Z_RLE },
  { level: 1 },
  { level: 9 },
];

void it('the beginning of a zlib stream is what node:zlib decodes', () => {
  for (let round = 0; round < 60; round += 1) {
    const source = createSource();
    for (const way of WAYS) {
      const maxBytes = next(2) === 0 ? 5_000 : next(1_000);
      assert.ok(inflateHead(deflateSync(source, way), maxBytes).equals(source.subarray(0, maxBytes)));
    }
  }
});

void it('of a stream that is cut off, all that node:zlib decodes is decoded', () => {
  for (let round = 0; round < 60; round += 1) {
    const whole = deflateSync(createSource(), WAYS[round % WAYS.length]);
    const cut = whole.subarray(0, next(whole.length));
    if (cut.length < 2) continue;
    const expected = inflateSync(cut, { finishFlush: constants.Z_SYNC_FLUSH });
    assert.ok(inflateHead(cut, 5_000).equals(expected), `round ${round}`);
  }
});

void it('a malformed stream ends without an error', () => {
  for (let round = 0; round < 500; round += 1) {
    const bytes = Buffer.from(Array.from({ length: next(300) }, () => next(256)));
    assert.ok(inflateHead(bytes, 1_000).length <= 1_000);
  }
});
