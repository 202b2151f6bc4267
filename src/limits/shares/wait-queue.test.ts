import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AccountUse, PoolAccounts, type Waiter } from './pool-accounts.ts';
import { WaitQueue } from './wait-queue.ts';

interface Account {
  held?: number;
  weight?: number;
  limit?: number;
  /** Milliseconds that a place was used for. */
  usedMs?: number;
  servedAt?: number;
  waiting?: number;
}

/** Opens a queue of a pool of ten places, whose accounts wait in this order. */
function openQueue(described: Record<string, Account>): {
  queue: WaitQueue;
  get: (id: string) => AccountUse;
} {
  const accounts = new PoolAccounts(10, 1);
  const queue = new WaitQueue(accounts);
  const created = new Map<string, AccountUse>();
  for (const [accountId, { held = 0, weight = 1, limit = 100, usedMs = 0, servedAt = 0 }] of Object.entries(
    described,
  )) {
    const account = accounts.getAccount({ accountId, weight, limit }, 0);
    created.set(accountId, account);
    account.recordStart(-usedMs);
    account.recordEnd(-usedMs, 0);
    account.servedAt = servedAt;
    accounts.addHeld(account, held);
  }
  for (const [accountId, { waiting = 1 }] of Object.entries(described))
    for (let n = 0; n < waiting; n += 1)
      queue.add({ account: created.get(accountId)!, grant: () => {}, refuse: () => {} });
  return { queue, get: (id) => created.get(id)! };
}

const getName = (waiter: Waiter | null): string | undefined => waiter?.account.accountId;

/** The accounts, and the one that is next. */
const NEXT: Record<string, [accounts: Record<string, Account>, next: string | undefined]> = {
  'the least use, first in the queue': [{ a: { usedMs: 1 }, b: { usedMs: 2 }, c: { usedMs: 3 } }, 'a'],
  'the least use, last in the queue': [{ a: { usedMs: 3 }, b: { usedMs: 2 }, c: { usedMs: 1 } }, 'c'],
  'the use by weight': [{ a: { usedMs: 30, weight: 2 }, b: { usedMs: 20 } }, 'a'],
  'of equal use, the one served longest ago': [
    { a: { servedAt: 2 }, b: { servedAt: 1 }, c: { servedAt: 3 } },
    'b',
  ],
  'an account within its share before one with less use': [
    { a: { held: 6, usedMs: 1 }, b: { usedMs: 9 } },
    'b',
  ],
  'an account that stays within its share': [{ b: { held: 5 }, a: { held: 3, usedMs: 9 } }, 'a'],
  'the same, first in the queue': [{ b: { usedMs: 9 }, a: { held: 6, usedMs: 1 } }, 'b'],
  'of those served at the same time, the first in the queue': [
    { a: { servedAt: 1 }, b: { servedAt: 1 } },
    'a',
  ],
  'one that reaches its limit': [{ a: { held: 1, limit: 2 } }, 'a'],
  'none that would exceed its limit': [{ a: { held: 1, limit: 1 } }, undefined],
  'one that uses the last place before the reserve': [{ a: { held: 7, waiting: 0 }, b: { held: 1 } }, 'b'],
  'one without a place if only the reserve is left': [{ a: { held: 9, waiting: 0 }, b: {} }, 'b'],
  'none at its limit': [{ a: { held: 1, limit: 1 }, b: { usedMs: 9 } }, 'b'],
  'the reserve is for accounts without a place': [{ a: { held: 8 }, b: { held: 1, usedMs: 9 } }, undefined],
};

describe('the queue of a pool', () => {
  for (const [what, [accounts, next]] of Object.entries(NEXT))
    it(`starts ${what}`, () => {
      assert.equal(getName(openQueue(accounts).queue.findNext(0)), next);
    });

  it('refuses the last request of the account with the most by weight, unless that is the newcomer', () => {
    const { queue, get } = openQueue({ a: { waiting: 4, weight: 2 }, b: { waiting: 3 }, c: { waiting: 1 } });
    assert.equal(getName(queue.findLast(get('c'))), 'b');
    assert.equal(queue.findLast(get('c')), [...get('b').waiting].at(-1));
    assert.equal(queue.findLast(get('b')), null);
    const other = openQueue({ b: { waiting: 3 }, a: { waiting: 4, weight: 2 }, c: { waiting: 3 } });
    assert.equal(getName(other.queue.findLast(other.get('a'))), 'b');
    assert.equal(other.queue.findLast(other.get('c')), null, 'not that of an account with as many');
  });

  it('forgets a request that is removed, once', () => {
    const { queue, get } = openQueue({ a: { waiting: 2 } });
    const [first, second] = [...get('a').waiting] as [Waiter, Waiter];
    assert.deepEqual([queue.remove(first), queue.remove(first), queue.length], [true, false, 1]);
    assert.deepEqual([...queue.accounts], [get('a')]);
    assert.deepEqual([queue.remove(second), queue.length, [...queue.accounts]], [true, 0, []]);
    assert.equal(get('a').isActive, false);
  });

  it('estimates the wait from how long places are held', () => {
    const LOAN_MS = 9;
    /** Returns the wait of `me`, by the accounts and how long each holds a place. */
    const estimate = (accounts: Record<string, Account>, averageHoldMs: Record<string, number>) => {
      const { queue, get } = openQueue(accounts);
      for (const [id, ms] of Object.entries(averageHoldMs)) get(id).averageHoldMs = ms;
      return { wait: () => queue.estimateWaitMs(get('me'), 0, LOAN_MS), get };
    };
    const estimateWait = (...described: Parameters<typeof estimate>) => estimate(...described).wait();
    const none = { waiting: 0 };

    assert.equal(estimateWait({ me: { held: 8, ...none } }, { me: 90 }), 0, 'it reaches its share');
    assert.equal(estimateWait({ me: { held: 9, ...none } }, { me: 90 }), 10, 'one place more: one of nine');
    assert.equal(estimateWait({ me: { held: 1, waiting: 1, limit: 1 } }, { me: 100 }), 200, 'one at a time');

    assert.equal(estimateWait({ a: { held: 5, ...none }, me: none }, { a: 200 }), 0, 'places are free');
    assert.equal(
      estimateWait({ a: { held: 1, usedMs: 5 }, me: { held: 5, ...none, limit: 5 } }, { me: 100 }),
      20,
      'an account that has used less than another gets places beyond its share',
    );
    assert.equal(
      estimateWait({ a: { held: 1, ...none }, me: { held: 5, ...none, limit: 6, usedMs: 5 } }, { me: 100 }),
      25,
      'one that has used more does not',
    );

    const full = { a: { held: 9, ...none }, me: { held: 1, ...none } };
    assert.equal(estimateWait(full, { a: 200, me: 200 }), 90, 'half of the time of what runs, ten at once');
    const queued = { ...full, a: { held: 9, waiting: 2 } };
    assert.equal(
      estimateWait(queued, { a: 200, me: 200 }),
      110,
      'and the time of one request before this one',
    );
    const later = { ...full, a: { held: 9, waiting: 2, usedMs: 5 } };
    assert.equal(estimateWait(later, { a: 200, me: 200 }), 90, 'none of an account that has used more');
    assert.equal(
      estimateWait(queued, { a: 9_000, me: 200 }),
      110,
      'slow requests count as those of the account',
    );
    assert.equal(estimateWait(queued, { a: 200, me: 9_000 }), 110, 'and short ones as they are');

    const { wait, get } = estimate({ a: { held: 10, ...none }, me: none }, { a: 200, me: 200 });
    assert.equal(wait(), 100);
    const account = get('a');
    account.reclaimable.add({ account, startedAtMs: 0, onReclaim: () => {}, amount: 1 });
    assert.equal(wait(), LOAN_MS, 'a place that is lent');
  });
});
