import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PoolAccounts } from './pool-accounts.ts';

it('an account is active while it holds places', () => {
  const accounts = new PoolAccounts(10, 1);
  const account = accounts.getAccount({ accountId: 'a', weight: 1, limit: 5 }, 0);
  accounts.addHeld(account, 2);
  assert.deepEqual([...accounts.active], [account]);
  accounts.addHeld(account, -2);
  assert.deepEqual([...accounts.active], []);
});
