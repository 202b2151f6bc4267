import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computePercentile, findLatencyStep } from './logged-request.ts';

const LAST = 120_000;

describe('the steps of latency', () => {
  it('are at least the latency, and above it by at most a fifth, rounded up', () => {
    for (let ms = 1; ms <= LAST; ms = ms * 1.01 + 0.1) {
      const step = findLatencyStep(ms);
      assert.ok(step >= ms && step <= Math.ceil(ms * 1.2), `${ms} → ${step}`);
    }
    assert.deepEqual([0, 1, 1.1, 2, 2.5].map(findLatencyStep), [1, 1, 2, 2, 3]);
  });

  it('end with one for all above', () => {
    const last = findLatencyStep(Infinity);
    assert.ok(last >= LAST && last < LAST * 1.2);
    assert.equal(findLatencyStep(last), last);
  });
});

describe('computePercentile', () => {
  const counts = [
    { ms: 30, requests: 5 },
    { ms: 10, requests: 90 },
    { ms: 20, requests: 5 },
  ];
  it('returns the latency that the share of the requests did not exceed', () => {
    for (const [share, ms] of [
      [0.5, 10],
      [0.9, 10],
      [0.91, 20],
      [0.95, 20],
      [0.96, 30],
      [1, 30],
    ] as const)
      assert.equal(computePercentile(counts, share), ms, String(share));
  });

  it('is null without requests', () => {
    assert.equal(computePercentile([], 0.95), null);
  });
});
