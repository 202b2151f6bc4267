/** The contract of a WindowCounter, for each implementation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WindowCounter } from '#limits';

const minute = 60_000;
const noon = Date.UTC(2026, 0, 1, 12);

/** The keys that a counter under test has at most. */
export const MAX_KEYS = 4;

/** Defines the tests of the contract. `skip` is the reason why they cannot run. */
export function describeWindowCounter(
  name: string,
  open: () => WindowCounter,
  skip: string | false = false,
): void {
  describe(`WindowCounter: ${name}`, { skip }, () => {
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
        retryAfterSeconds: 60,
      });
      assert.equal((await counter.consume('k', 2, 1, noon + 2)).remaining, 0);
      assert.equal((await counter.consume('k', 2, 1, noon + 3)).admitted, false);
    });

    it('resets at the next clock minute, not a minute after the first request', async () => {
      const counter = open();
      assert.equal((await counter.consume('k', 1, 1, noon + minute - 1)).admitted, true);
      assert.equal((await counter.consume('k', 1, 1, noon + minute)).admitted, true);
    });

    it('a refused request may try again when the window ends, after at least a second', async () => {
      const counter = open();
      await counter.consume('k', 1, 1, noon);
      assert.equal((await counter.consume('k', 1, 1, noon + 20_500)).retryAfterSeconds, 40);
      assert.equal((await counter.consume('k', 1, 1, noon + minute - 1)).retryAfterSeconds, 1);
    });

    it('counts a large limit exactly, with Remaining for each request', async () => {
      const counter = open();
      for (let left = 999; left >= 0; left -= 1)
        assert.equal((await counter.consume('k', 1000, 1, noon)).remaining, left);
      assert.equal((await counter.consume('k', 1000, 1, noon)).admitted, false);
    });

    it('a limit that changes within the window applies to what was used', async () => {
      const counter = open();
      await counter.consume('k', 500, 300, noon);
      assert.equal((await counter.consume('k', 200, 1, noon)).admitted, false);
      assert.equal((await counter.consume('k', 400, 1, noon)).remaining, 99);
    });

    it('past the limit of keys, new keys share one count', async () => {
      const counter = open();
      for (const key of ['1', '2', '3', '4']) await counter.consume(key, 5, 1, noon);
      for (let n = 0; n < 5; n++)
        assert.equal((await counter.consume(`flood${n}`, 5, 1, noon)).admitted, true);
      assert.equal((await counter.consume('flood9', 5, 1, noon)).admitted, false);
      assert.equal((await counter.consume('1', 5, 1, noon)).remaining, 3);
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
