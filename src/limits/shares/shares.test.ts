import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createShares } from './create-shares.ts';
import { type ShareKind, computeCapacities, computeShares } from './shares.ts';

const LARGEST_BODY = 40_960_000;
const settings = { pdfSlots: 4, egressConnections: 512, bodyMemoryMb: 96 };
const capacities = computeCapacities(settings);
const sharesOf = (slots: number | null, changes: Partial<typeof settings> = {}) =>
  computeShares({ slots }, computeCapacities({ ...settings, ...changes }), LARGEST_BODY);

describe('the shares of an account', () => {
  it('without slots are all of each kind but one place, and but one largest body', () => {
    assert.deepEqual(sharesOf(null), {
      bodyBytes: 55_040_000,
      emailRequests: 1_023,
      metadataRequests: 511,
      pdfRequests: 255,
      pageConnections: 255,
      browserPages: 3,
      dnsLookups: 255,
      parserThreads: 1,
      otherRequests: 1_789,
    });
  });

  it('with slots are that many documents and 8 times as many other requests', () => {
    assert.deepEqual(sharesOf(2), {
      bodyBytes: 55_040_000,
      emailRequests: 16,
      metadataRequests: 16,
      // 16 that wait and 2 that render.
      pdfRequests: 18,
      pageConnections: 16,
      browserPages: 2,
      dnsLookups: 255,
      parserThreads: 1,
      otherRequests: 16,
    });
    assert.equal(sharesOf(4, { pdfSlots: 16 }).browserPages, 4);
    assert.equal(sharesOf(4).otherRequests, 32);
  });

  it('leave one place of each kind free for any number of slots', () => {
    const shares = sharesOf(256);
    assert.deepEqual(shares, sharesOf(null));
    assert.equal(sharesOf(4).browserPages, 3);
    for (const slots of [null, 1, 2, 4, 31, 32, 64, 255, 256]) {
      const { otherRequests, ...rest } = sharesOf(slots);
      for (const [kind, count] of Object.entries(rest))
        assert.ok(count >= 1 && count < capacities[kind as keyof typeof capacities], `${kind} of ${slots}`);
      assert.ok(otherRequests <= sharesOf(null).otherRequests);
    }
  });

  it('are the one place if there is only one', () => {
    const shares = sharesOf(null, { pdfSlots: 1, egressConnections: 2 });
    assert.equal(shares.browserPages, 1);
    assert.equal(shares.pageConnections, 1);
    assert.equal(sharesOf(8, { pdfSlots: 1 }).browserPages, 1);
  });

  it('always allow one largest body', () => {
    assert.equal(sharesOf(null, { bodyMemoryMb: 64 }).bodyBytes, LARGEST_BODY);
    assert.equal(sharesOf(1, { bodyMemoryMb: 64 }).bodyBytes, LARGEST_BODY);
    assert.equal(sharesOf(null, { bodyMemoryMb: 82 }).bodyBytes, 82_000_000 - LARGEST_BODY);
    assert.equal(
      computeShares({ slots: null }, { ...capacities, bodyBytes: 10 }, LARGEST_BODY).bodyBytes,
      10,
    );
  });
});

describe('an account alone', () => {
  const openShares = (changes: Partial<typeof settings>) =>
    createShares({
      capacities: computeCapacities({ ...settings, ...changes }),
      maxBodyBytes: LARGEST_BODY,
      now: () => 0,
    });
  /** Takes places until the account is refused; returns how many it got. */
  function takeAll(shares: ReturnType<typeof openShares>, kind: ShareKind, slots: number | null): number {
    for (let count = 0; ; count += 1)
      try {
        shares.take(kind, { accountId: 'a', slots }, 1);
      } catch (error) {
        assert.equal((error as { code: string }).code, 'rate_limit_exceeded', `${kind} after ${count}`);
        return count;
      }
  }

  for (const slots of [null, 1, 2, 4, 40, 256])
    for (const pdfSlots of [1, 4, 64])
      it(`is granted the shares that its plan shows: slots ${slots}, PDF_SLOTS ${pdfSlots}`, () => {
        const { bodyBytes: _, otherRequests, ...expected } = sharesOf(slots, { pdfSlots });
        for (const [kind, count] of Object.entries(expected))
          assert.equal(takeAll(openShares({ pdfSlots }), kind as ShareKind, slots), count, kind);
        const all = openShares({ pdfSlots });
        const requests = (['emailRequests', 'metadataRequests', 'pdfRequests'] as const).map((kind) =>
          takeAll(all, kind, slots),
        );
        const sum = requests.reduce((total, count) => total + count, 0);
        assert.ok(sum >= otherRequests && sum <= otherRequests + expected.browserPages, `${sum} in all`);
      });

  for (const bodyMemoryMb of [64, 81, 82, 96, 4096])
    it(`is granted the body bytes that its plan shows, one largest body among them, of ${bodyMemoryMb} MB`, () => {
      const shares = openShares({ bodyMemoryMb });
      const { bodyBytes } = sharesOf(null, { bodyMemoryMb });
      assert.ok(bodyBytes >= LARGEST_BODY);
      const holder = { accountId: 'a', slots: null };
      const place = shares.take('bodyBytes', holder, LARGEST_BODY);
      place.resize(bodyBytes);
      assert.throws(() => shares.take('bodyBytes', holder, 1), { code: 'rate_limit_exceeded' });
    });
});
