import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemoryWindowCounter, type WindowCounter } from './index.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 0, 1, 12);

/** The contract of a WindowCounter, for each implementation. */
export function describeWindowCounter(name: string, open: () => WindowCounter): void {
  describe(`WindowCounter: ${name}`, () => {
    it('admits exactly the limit of 1,000 concurrent requests', async () => {
      const counter = open();
      const decisions = await Promise.all(
        Array.from({ length: 1000 }, async () => counter.consume('k', 60, 1, noon)),
      );
      assert.equal(decisions.filter((decision) => decision.admitted).length, 60);
    });

    it('counts down to zero and returns the end of the clock minute', async () => {
      const counter = open();
      assert.deepEqual(await counter.consume('k', 2, 1, noon + 1), {
        admitted: true,
        limit: 2,
        remaining: 1,
        resetAtSeconds: (noon + minute) / 1000,
      });
      assert.equal((await counter.consume('k', 2, 1, noon + 2)).remaining, 0);
      assert.equal((await counter.consume('k', 2, 1, noon + 3)).admitted, false);
    });

    it('resets at the next clock minute, not a minute after the first request', async () => {
      const counter = open();
      assert.equal((await counter.consume('k', 1, 1, noon + minute - 1)).admitted, true);
      assert.equal((await counter.consume('k', 1, 1, noon + minute)).admitted, true);
    });

    it('counts keys separately', async () => {
      const counter = open();
      await counter.consume('a', 1, 1, noon);
      assert.equal((await counter.consume('b', 1, 1, noon)).admitted, true);
    });

    it('admits several units together or not at all, and does not count refused ones', async () => {
      const counter = open();
      assert.equal((await counter.consume('k', 10, 8, noon)).remaining, 2);
      assert.deepEqual(
        [
          (await counter.consume('k', 10, 3, noon)).admitted,
          (await counter.consume('k', 10, 0, noon)).remaining,
        ],
        [false, 2],
      );
      assert.equal((await counter.consume('k', 10, 2, noon)).admitted, true);
    });

    it('a cost of 0 is admitted if one more unit would be, and consumes nothing', async () => {
      const counter = open();
      assert.equal((await counter.consume('k', 1, 0, noon)).admitted, true);
      assert.equal((await counter.consume('k', 1, 1, noon)).admitted, true);
      assert.equal((await counter.consume('k', 1, 0, noon)).admitted, false);
    });
  });
}

describeWindowCounter('memory', () => createMemoryWindowCounter());

it('past the limit of keys, new keys share one count and known keys keep theirs', async () => {
  const counter = createMemoryWindowCounter(2);
  await counter.consume('a', 5, 1, noon);
  await counter.consume('b', 5, 1, noon);
  for (let n = 0; n < 5; n++) assert.equal((await counter.consume(`flood${n}`, 5, 1, noon)).admitted, true);
  assert.equal((await counter.consume('flood9', 5, 1, noon)).admitted, false);
  assert.equal((await counter.consume('a', 5, 1, noon)).remaining, 3);
});
