import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AccountUse, PoolAccounts } from './pool-accounts.ts';

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

/** Opens the accounts of a pool of 11 places, one of them in reserve. */
function openAccounts() {
  const accounts = new PoolAccounts(11, 1);
  const get = (accountId: string, weight = 1, limit = Infinity): AccountUse =>
    accounts.getAccount({ accountId, weight, limit }, 0);
  return { accounts, get };
}

describe('the accounts of a pool', () => {
  it('are active while they hold places', () => {
    const { accounts, get } = openAccounts();
    const account = get('a');
    accounts.addHeld(account, 2);
    assert.deepEqual([...accounts.active], [account]);
    accounts.addHeld(account, -1);
    assert.deepEqual([...accounts.active], [account]);
    accounts.addHeld(account, -1);
    assert.deepEqual([...accounts.active], []);
    assert.equal(accounts.held, 0);
  });

  it('share the capacity less the reserve by their weights, an account that is not active yet included', () => {
    const { accounts, get } = openAccounts();
    const [one, two] = [get('one'), get('two', 4)];
    assert.equal(accounts.computeShare(one), 10);
    assert.equal(accounts.computeEqualPart(one), 11);
    accounts.addHeld(one, 1);
    assert.equal(accounts.computeShare(one), 10);
    assert.equal(accounts.computeShare(one, two), 2);
    assert.equal(accounts.computeShare(two), 8);
    assert.equal(accounts.computeEqualPart(two), 11 * (4 / 5));
    assert.equal(accounts.computeEqualPart(one, two), 11 / 5);
    accounts.addHeld(two, 1);
    assert.equal(accounts.computeShare(one), 2);
    assert.equal(accounts.computeEqualPart(one), 11 / 5);
  });

  it('have a new weight at once', () => {
    const { accounts, get } = openAccounts();
    accounts.addHeld(get('one'), 1);
    accounts.addHeld(get('two'), 1);
    assert.equal(accounts.computeShare(get('one')), 5);
    get('two', 4);
    assert.equal(accounts.computeShare(get('one')), 2);
    accounts.addHeld(get('two', 4), -1);
    assert.equal(accounts.computeShare(get('one')), 10);
  });

  it('are within their shares up to their limits', () => {
    const { accounts, get } = openAccounts();
    const account = get('a', 1, 3);
    assert.deepEqual([accounts.isWithinShare(account, 3), accounts.isWithinShare(account, 4)], [true, false]);
    accounts.addHeld(account, 1);
    assert.deepEqual([accounts.isWithinShare(account, 2), accounts.isWithinShare(account, 3)], [true, false]);
  });

  it('leave the reserve to accounts with less than one place', () => {
    const { accounts, get } = openAccounts();
    const account = get('a');
    accounts.addHeld(account, 9);
    assert.deepEqual([accounts.hasRoom(account, 1), accounts.hasRoom(account, 2)], [true, false]);
    accounts.addHeld(account, 1);
    assert.deepEqual([accounts.hasRoom(account, 1), accounts.hasRoom(get('b'), 1)], [false, true]);
  });

  it('have no reserve if the pool has no place beside it', () => {
    for (const [capacity, reserve, kept] of [
      [1, 1, 0],
      [2, 1, 1],
      [2, 2, 0],
    ] as const)
      assert.equal(new PoolAccounts(capacity, reserve).reserve, kept);
  });

  it('count only what active accounts weigh', () => {
    const { accounts, get } = openAccounts();
    const account = get('a');
    accounts.addHeld(account, 1);
    for (const weight of [1, 4]) get('idle', weight);
    assert.equal(accounts.computeShare(account), 10);
    assert.deepEqual([accounts.getHeld('a'), accounts.getHeld('unknown')], [1, 0]);
  });

  it('lose the place of the one that exceeds its share most by its weight', () => {
    for (const order of [
      ['heavy', 'light'],
      ['light', 'heavy'],
    ]) {
      const { accounts, get } = openAccounts();
      const described = new Map([
        ['heavy', get('heavy', 2)],
        ['light', get('light', 1)],
      ]);
      for (const id of order) {
        const account = described.get(id)!;
        accounts.addHeld(account, id === 'heavy' ? 6 : 4);
        account.reclaimable.add({ account, startedAtMs: 5, onReclaim: () => {}, amount: 1 });
      }
      assert.equal(accounts.findBorrower(get('needy'), 1), described.get('light'));
      assert.equal(accounts.findBorrower(get('needy'), 1, 5), described.get('light'));
      assert.equal(accounts.findBorrower(get('needy'), 1, 4), null, 'lent later');
    }
  });

  it('lose all but one place, even if their shares are smaller', () => {
    const accounts = new PoolAccounts(3, 1);
    const get = (accountId: string) => accounts.getAccount({ accountId, weight: 1, limit: 3 }, 0);
    const account = get('a');
    accounts.addHeld(account, 2);
    account.reclaimable.add({ account, startedAtMs: 0, onReclaim: () => {}, amount: 1 });
    assert.equal(accounts.findBorrower(get('b'), 1), account);
    accounts.addHeld(account, -1);
    assert.equal(accounts.findBorrower(get('b'), 1), null);
  });

  it('are forgotten above 10,000, if they are idle and their use is over', () => {
    const { accounts } = openAccounts();
    const get = (accountId: string, nowMs: number): AccountUse =>
      accounts.getAccount({ accountId, weight: 1, limit: 1 }, nowMs);
    const LATER_MS = 120_001;
    const [idle, busy, recent] = [get('idle', 0), get('busy', 0), get('recent', 0)];
    accounts.addHeld(busy, 1);
    recent.recordStart(1);
    recent.recordEnd(1, 1);
    for (let others = 3; others < 10_000; others += 1) get(`other ${others}`, LATER_MS);
    assert.equal(get('idle', LATER_MS), idle);
    get('one more', LATER_MS);
    assert.notEqual(get('idle', LATER_MS), idle);
    assert.deepEqual([get('busy', LATER_MS), get('recent', LATER_MS)], [busy, recent]);
  });
});
