import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountUse } from './account-use.ts';
import { PoolAccounts } from './pool-accounts.ts';

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
});
