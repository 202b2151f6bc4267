import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '#errors';
import { FairPool, type FairPoolOptions } from './fair-pool.ts';
import type { Place } from './shares.ts';

let nowMs = 0;

function openPool(options: Partial<FairPoolOptions> = {}): FairPool {
  return new FairPool({
    capacity: 4,
    reserve: 1,
    now: () => nowMs,
    maxQueued: 100,
    maxWaitMs: 10_000,
    loanMs: 0,
    createError: ({ reason, wasQueued, limit, retryAfterMs }) =>
      new ApiError(
        (reason === 'share' || reason === 'limit') && !wasQueued ? 'rate_limit_exceeded' : 'overloaded',
        `${reason} ${limit}`,
        {
          retryAfterSeconds: retryAfterMs / 1000,
        },
      ),
    ...options,
  });
}

const holder = (accountId: string, weight = 1, limit = Infinity) => ({ accountId, weight, limit });
const isShare = { code: 'rate_limit_exceeded' };
const isCapacity = { code: 'overloaded', message: /^capacity/ };

describe('places that are acquired at once', () => {
  it('an account alone may take all but one place', () => {
    const pool = openPool();
    for (let n = 0; n < 3; n += 1) pool.take(holder('a'), 1);
    assert.throws(() => pool.take(holder('a'), 1), { ...isShare, message: 'limit 3' });
    assert.equal(pool.held, 3);
  });

  it('one place stays free for an account that holds none', () => {
    const pool = openPool();
    for (let n = 0; n < 3; n += 1) pool.take(holder('a'), 1);
    pool.take(holder('b'), 1);
    assert.equal(pool.held, 4);
  });

  it('a lent place is reclaimed for an account within its share, longest lent first', () => {
    const pool = openPool();
    const reclaimed: string[] = [];
    for (const name of ['first', 'second', 'third'])
      pool.take(holder('a'), 1, ({ code }) => reclaimed.push(`${name} ${code}`));
    pool.take(holder('b'), 1);
    pool.take(holder('c'), 1);
    assert.deepEqual(reclaimed, ['first overloaded']);
    assert.equal(pool.getHeld('a'), 2);
    assert.equal(pool.held, 4);
  });

  it('an account over its share is refused for its share, and reclaims nothing', () => {
    const pool = openPool();
    const reclaim = () => assert.fail('reclaimed');
    pool.take(holder('a'), 1, reclaim);
    pool.take(holder('a'), 1, reclaim);
    pool.take(holder('b'), 1, reclaim);
    pool.take(holder('c'), 1, reclaim);
    assert.throws(() => pool.take(holder('b'), 1), isShare);
  });

  it('an account within its share is refused only when all accounts within their shares use up the capacity', () => {
    const pool = openPool();
    for (const name of ['a', 'b', 'c', 'd']) pool.take(holder(name), 1, () => assert.fail('reclaimed'));
    assert.throws(() => pool.take(holder('e'), 1), isCapacity);
  });

  it('a weight of two has twice the share', () => {
    const pool = openPool({ capacity: 10 });
    const reclaimed = { a: 0, b: 0 };
    for (let n = 0; n < 9; n += 1) pool.take(holder('a', 1), 1, () => (reclaimed.a += 1));
    for (let n = 0; n < 6; n += 1) pool.take(holder('b', 2), 1, () => (reclaimed.b += 1));
    assert.deepEqual(reclaimed, { a: 6, b: 0 });
    assert.throws(() => pool.take(holder('b', 2), 1), isShare);
  });

  it('a limit of the plan holds even when the pool is empty', () => {
    const pool = openPool();
    pool.take(holder('a', 1, 2), 1);
    pool.take(holder('a', 1, 2), 1);
    assert.throws(() => pool.take(holder('a', 1, 2), 1), { message: 'limit 2' });
  });

  it('a pool of one place gives it to the first account', () => {
    const pool = openPool({ capacity: 1 });
    pool.take(holder('a'), 1);
    assert.throws(() => pool.take(holder('b'), 1), isCapacity);
  });

  it('a place that grows is bounded by the account’s share and stays as it was when refused', () => {
    const pool = openPool({ capacity: 100, reserve: 40 });
    const place = pool.take(holder('a'), 10);
    place.resize(50);
    const small = pool.take(holder('a'), 10);
    assert.throws(() => place.resize(51), isShare);
    assert.equal(pool.getHeld('a'), 60);
    small.release();
    place.resize(60);
    const other = pool.take(holder('b'), 1);
    other.resize(40);
    assert.equal(pool.held, 100);
    place.resize(5);
    place.release();
    place.release();
    place.resize(50);
    assert.equal(pool.held, 40);
  });

  it('a place larger than the whole share is refused for its size, alone or not', () => {
    const pool = openPool({ capacity: 100, reserve: 40 });
    const isSize = { message: 'size 60' };
    assert.throws(() => pool.take(holder('a'), 61), isSize);
    const place = pool.take(holder('a'), 10);
    assert.throws(() => place.resize(61), isSize);
    assert.throws(() => pool.take(holder('a'), 61), isSize);
    assert.equal(pool.held, 10);
  });

  it('while a place grows for an account within its share, bodies of an account over its share are reclaimed', () => {
    const pool = openPool({ capacity: 100, reserve: 40 });
    const ended: number[] = [];
    for (const size of [20, 20, 20]) pool.take(holder('a'), size, () => ended.push(size));
    const b = pool.take(holder('b'), 40);
    const c = pool.take(holder('c'), 1);
    c.resize(20);
    assert.deepEqual([ended, pool.held], [[20], 100]);
    b.release();
  });
});

describe('places that are larger than the fair share', () => {
  const fill = (pool: FairPool, ended: string[]) => {
    for (const name of ['a', 'b', 'c']) pool.take(holder(name), 33, () => ended.push(name)).resize(33);
  };

  it('three accounts that fill the pool lose places to an account that needs its equal part', () => {
    const pool = openPool({ capacity: 99, reserve: 40 });
    const ended: string[] = [];
    fill(pool, ended);
    pool.take(holder('d'), 1).resize(24);
    assert.deepEqual([ended, pool.held], [['a'], 90]);
  });

  it('for more than its equal part nothing is reclaimed: the accounts together exceed the capacity', () => {
    const pool = openPool({ capacity: 99, reserve: 40 });
    const ended: string[] = [];
    fill(pool, ended);
    assert.throws(() => pool.take(holder('d'), 25), isCapacity);
    assert.deepEqual(ended, []);
  });
});

describe('places that are waited for', () => {
  /** Acquires a place and notes its name when it is there. */
  function acquire(pool: FairPool, name: string, started: string[]): Promise<Place> {
    return pool.acquire(holder(name[0] ?? ''), {}).then((place) => {
      started.push(name);
      return place;
    });
  }

  it('the account that used least in the last minute is next, even if another waited longer', async () => {
    nowMs = 0;
    const pool = openPool({ capacity: 2 });
    const long = await pool.acquire(holder('a'));
    const short = await pool.acquire(holder('b'));
    nowMs = 100;
    short.release();
    const other = await pool.acquire(holder('c'));
    const started: string[] = [];
    const waiting = ['a1', 'b1'].map((name) => acquire(pool, name, started));
    nowMs = 1_000;
    long.release();
    (await waiting[1])?.release();
    other.release();
    (await waiting[0])?.release();
    assert.deepEqual(started, ['b1', 'a1']);
  });

  it('the use that a release reports counts in place of the time for which the place was held', async () => {
    nowMs = 0;
    const pool = openPool({ capacity: 2 });
    const long = await pool.acquire(holder('a'));
    const short = await pool.acquire(holder('b'));
    nowMs = 100;
    short.release(500);
    nowMs = 1_000;
    long.release(400);
    const other = await pool.acquire(holder('c'));
    const last = await pool.acquire(holder('d'));
    const started: string[] = [];
    const waiting = ['b1', 'a1'].map((name) => acquire(pool, name, started));
    last.release();
    (await waiting[1])?.release();
    other.release();
    (await waiting[0])?.release();
    assert.deepEqual(started, ['a1', 'b1']);
  });

  it('use is forgotten after some minutes', async () => {
    nowMs = 0;
    const pool = openPool({ capacity: 2 });
    const long = await pool.acquire(holder('a'));
    nowMs = 9_000;
    long.release();
    nowMs = 900_000;
    const [x, y] = [await pool.acquire(holder('x')), await pool.acquire(holder('b'))];
    nowMs = 900_100;
    y.release();
    const y2 = await pool.acquire(holder('y'));
    const started: string[] = [];
    const waiting = ['b1', 'a1'].map((name) => acquire(pool, name, started));
    x.release();
    (await waiting[1])?.release();
    y2.release();
    (await waiting[0])?.release();
    assert.deepEqual(started, ['a1', 'b1']);
  });

  it('a place that was lent long enough is reclaimed at once for an account within its share', async () => {
    nowMs = 0;
    const pool = openPool({ loanMs: 500 });
    const reclaimed: string[] = [];
    for (let n = 0; n < 3; n += 1)
      await pool.acquire(holder('a'), { onReclaim: ({ code }) => reclaimed.push(`${n} ${code}`) });
    await pool.acquire(holder('b'));
    nowMs = 500;
    const granted = pool.acquire(holder('c'));
    assert.deepEqual(reclaimed, ['0 overloaded'], 'in the same turn');
    await granted;
    assert.equal(pool.getHeld('a'), 2);
  });

  it('until then the account waits for it, or for one that is released', async () => {
    nowMs = 0;
    const pool = openPool({ loanMs: 500 });
    const { promise: reclaimed, resolve } = Promise.withResolvers<number>();
    for (let n = 0; n < 3; n += 1) await pool.acquire(holder('a'), { onReclaim: () => resolve(n) });
    await pool.acquire(holder('b'));
    const waiting = pool.acquire(holder('c'));
    await new Promise(setImmediate);
    assert.equal(pool.queued, 1);
    nowMs = 501;
    assert.equal(await reclaimed, 0);
    (await waiting).release();
  });

  it('if work ends soon, nothing is reclaimed: the account within its share is next', async () => {
    const pool = openPool({ loanMs: null });
    const places: Place[] = [];
    for (let n = 0; n < 3; n += 1)
      places.push(await pool.acquire(holder('a'), { onReclaim: () => assert.fail('reclaimed') }));
    await pool.acquire(holder('b'));
    const started: string[] = [];
    const waiting = ['a1', 'c1'].map((name) => acquire(pool, name, started));
    places[0]?.release();
    (await waiting[1])?.release();
    places[1]?.release();
    (await waiting[0])?.release();
    assert.deepEqual(started, ['c1', 'a1']);
  });

  it('what would wait too long is refused at once, with the time to try again', async () => {
    nowMs = 0;
    const pool = openPool({ capacity: 2 });
    const first = await pool.acquire(holder('a'));
    nowMs = 60_000;
    first.release();
    const running = await pool.acquire(holder('a'));
    await assert.rejects(pool.acquire(holder('a')), { ...isShare, retryAfterSeconds: 2.16 });
    running.release();
  });

  it('slow renders of others do not refuse a request of an account with short ones', async () => {
    nowMs = 0;
    const pool = openPool();
    const slow = ['a', 'b', 'c', 'd'];
    const running: Place[] = [];
    for (const name of slow) running.push(await pool.acquire(holder(name)));
    // Each of their requests takes ten minutes, and more of them wait.
    nowMs = 600_000;
    for (const place of running.splice(0)) place.release();
    for (const name of slow) running.push(await pool.acquire(holder(name)));
    const started: string[] = [];
    const waiting = slow.map((name) => acquire(pool, name, started).catch(() => null));
    const own = acquire(pool, 'me', started);
    running[0]?.release();
    (await own).release();
    assert.deepEqual(started.slice(0, 1), ['me'], 'it is next, as it has used least');
    for (const place of running) place.release();
    for (const wait of waiting) (await wait)?.release();
  });

  it('a request that waited the maximum time is refused as overloaded', async () => {
    const pool = openPool({ capacity: 2, maxWaitMs: 300 });
    await pool.acquire(holder('a'));
    await assert.rejects(pool.acquire(holder('a')), { code: 'overloaded', message: 'limit 1' });
    assert.equal(pool.queued, 0);
  });

  it('in a full queue the account with the most requests loses one to an account with fewer', async () => {
    nowMs = 0;
    const pool = openPool({ capacity: 2, maxQueued: 3, maxWaitMs: 100_000 });
    const running = [await pool.acquire(holder('a')), await pool.acquire(holder('b'))];
    const outcomes: string[] = [];
    const waiting = ['a1', 'a2', 'a3', 'b1'].map((name) =>
      acquire(pool, name, outcomes).then(
        (place) => place.release(),
        ({ code }: ApiError) => outcomes.push(`${name} ${code}`),
      ),
    );
    await assert.rejects(pool.acquire(holder('a')), isShare);
    for (const place of running) place.release();
    await Promise.all(waiting);
    assert.deepEqual(outcomes.toSorted(), ['a1', 'a2', 'a3 overloaded', 'b1']);
  });

  it('an aborted request leaves the queue with the signal’s reason and holds nothing', async () => {
    const pool = openPool({ capacity: 2 });
    const running = await pool.acquire(holder('a'));
    const controller = new AbortController();
    const waiting = pool.acquire(holder('a'), { signal: controller.signal });
    controller.abort(new Error('hung up'));
    await assert.rejects(waiting, { message: 'hung up' });
    await assert.rejects(pool.acquire(holder('a'), { signal: controller.signal }), { message: 'hung up' });
    running.release();
    assert.deepEqual([pool.held, pool.queued], [0, 0]);
  });
});

describe('whatever happens', () => {
  const event = fc.record({
    account: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    kind: fc.constantFrom('take', 'acquire', 'release', 'grow', 'abort'),
    pick: fc.nat(20),
  });

  it('no place is lost or granted twice, and no account exceeds its limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        async (events, capacity) => {
          nowMs = 0;
          const pool = openPool({ capacity, maxQueued: 5, maxWaitMs: 1e6 });
          const live = new Set<{ account: string; amount: number; place: Place | null }>();
          const controllers: AbortController[] = [];
          const keep = (account: string) => {
            const entry = { account, amount: 1, place: null as Place | null };
            live.add(entry);
            return entry;
          };
          const waits: Promise<void>[] = [];
          for (const { account, kind, pick } of events) {
            nowMs += pick;
            const entries = [...live].filter(({ place }) => place !== null);
            const chosen = entries[pick % Math.max(1, entries.length)];
            try {
              if (kind === 'take') {
                const entry = keep(account);
                try {
                  entry.place = pool.take(holder(account, 1, 3), 1, () => live.delete(entry));
                } catch (error) {
                  live.delete(entry);
                  throw error;
                }
              } else if (kind === 'acquire') {
                const entry = { account, amount: 1, place: null as Place | null };
                const controller = new AbortController();
                controllers.push(controller);
                const options = { signal: controller.signal, onReclaim: () => void live.delete(entry) };
                waits.push(
                  pool.acquire(holder(account, 1, 3), options).then(
                    (place) => {
                      entry.place = place;
                      return void live.add(entry);
                    },
                    () => {},
                  ),
                );
              } else if (kind === 'abort') controllers[pick % Math.max(1, controllers.length)]?.abort();
              else if (kind === 'grow' && chosen) {
                chosen.place?.resize(chosen.amount + 1);
                chosen.amount += 1;
              } else if (chosen) {
                live.delete(chosen);
                chosen.place?.release();
              }
            } catch (error) {
              assert.ok(error instanceof ApiError, String(error));
            }
            await Promise.resolve();
            await Promise.resolve();
            await Promise.resolve();
            let sum = 0;
            for (const { amount } of live) sum += amount;
            assert.equal(pool.held, sum, 'held is what the live places hold');
            assert.ok(sum <= capacity, 'never over the capacity');
            for (const name of ['a', 'b', 'c', 'd', 'e']) assert.ok(pool.getHeld(name) <= 3);
          }
          for (const controller of controllers) controller.abort();
          await Promise.all(waits);
          for (const { place } of live) place?.release();
          assert.deepEqual([pool.held, pool.queued], [0, 0]);
        },
      ),
      { numRuns: 500, seed: 7 },
    );
  });
});
