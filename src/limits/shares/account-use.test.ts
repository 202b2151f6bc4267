import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AccountUse } from './account-use.ts';

const DECAY_MS = 60_000;

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);
}

describe('the past use of an account', () => {
  it('is the time of its places, those that are held included, by its weight', () => {
    const account = new AccountUse('a', 2);
    assert.equal(account.computeUse(5_000), 0);
    account.recordStart(5_000);
    account.recordStart(5_500);
    assert.equal(account.computeUse(6_000), (1_000 + 500) / 2);
    account.recordEnd(5_000, 6_000);
    assert.equal(account.computeUse(6_000), (1_000 + 500) / 2);
    account.recordEnd(5_500, 6_000);
    assert.equal(account.computeUse(6_000), (1_000 + 500) / 2);
  });

  it('decays to 37% in a minute after the place was given back', () => {
    const account = new AccountUse('a', 1);
    account.recordStart(0);
    account.recordEnd(0, 1_000);
    assertNear(account.computeUse(1_000 + DECAY_MS), 1_000 / Math.E);
    account.recordStart(1_000 + DECAY_MS);
    account.recordEnd(1_000 + DECAY_MS, 1_000 + DECAY_MS);
    assertNear(account.computeUse(1_000 + 2 * DECAY_MS), 1_000 / Math.E ** 2);
  });

  it('does not grow if the clock goes back', () => {
    const account = new AccountUse('a', 1);
    account.recordStart(1_000);
    account.recordEnd(1_000, 400);
    assert.equal(account.computeUse(0), 0);
  });

  it('gives the average time of a place, in which the last one counts a fifth', () => {
    const account = new AccountUse('a', 1);
    assert.equal(account.averageHoldMs, 200);
    account.recordStart(0);
    account.recordEnd(0, 1_200);
    assert.equal(account.averageHoldMs, 400);
  });

  it('is forgotten after two minutes without a place or a queued request', () => {
    const account = new AccountUse('a', 1);
    account.recordStart(0);
    account.held = 1;
    assert.equal(account.canBeForgotten(10 * DECAY_MS), false);
    account.held = 0;
    account.recordEnd(0, 1_000);
    assert.equal(account.canBeForgotten(1_000 + 2 * DECAY_MS), false);
    assert.equal(account.canBeForgotten(1_001 + 2 * DECAY_MS), true);
    account.waiting.add({ account, grant: () => {}, refuse: () => {} });
    assert.equal(account.isActive, true);
    assert.equal(account.canBeForgotten(1_001 + 2 * DECAY_MS), false);
  });
});
