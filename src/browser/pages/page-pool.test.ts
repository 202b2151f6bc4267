import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LossReason } from '../browser-errors.ts';
import type { Page } from './page.ts';
import { PagePool, type PagePoolOptions } from './page-pool.ts';

const KIBIBYTE = 1024;
const SMALL = { documentBytes: 1 };
const MAX_RESIDENT_BYTES = 300 * KIBIBYTE * KIBIBYTE;

/** A pool whose browser creates numbered pages without a process. */
function open(options: Partial<PagePoolOptions> = {}) {
  const discarded: Page[] = [];
  const warmedUp: Page[] = [];
  let created = 0;
  const pool = new PagePool(
    {
      isLost: false,
      createPage: () => {
        created += 1;
        return Promise.resolve({ targetId: `page ${created}`, renders: 0, lossReason: null } as Page);
      },
      discardPage: (page) => void discarded.push(page),
    },
    { fresh: 0, owned: 4, warmUp: (page) => Promise.resolve(void warmedUp.push(page)), ...options },
  );
  return { pool, discarded, warmedUp };
}

void describe('the page pool', () => {
  void it('abandons an unused page that is not warm after 5 s, and returns another one', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const losses: LossReason[] = [];
    const warmUp = (page: Page): Promise<void> =>
      new Promise((_resolve, reject) => {
        page.abandon = (reason) => {
          losses.push(reason);
          reject(new Error('lost'));
        };
      });
    const { pool, discarded } = open({ fresh: 1, warmUp });
    pool.refill({ isIdle: true });
    const acquired = pool.acquireFresh();
    await new Promise((resolve) => setImmediate(resolve));
    test.mock.timers.tick(4_999);
    assert.deepEqual(losses, []);
    test.mock.timers.tick(1);
    assert.equal((await acquired).targetId, 'page 2');
    assert.deepEqual(losses, ['discarded']);
    assert.deepEqual(
      discarded.map(({ targetId }) => targetId),
      ['page 1'],
    );
  });

  void it('returns a used page to its owner', async () => {
    const { pool } = open();
    const page = await pool.acquireOwned('a');
    pool.release(page, { ownerId: 'a', ...SMALL });
    assert.equal(await pool.acquireOwned('a'), page);
  });

  void it('never returns a page that one owner has used to another', async () => {
    const { pool } = open();
    const page = await pool.acquireOwned('a');
    pool.release(page, { ownerId: 'a', ...SMALL });
    assert.notEqual(await pool.acquireOwned('b'), page);
    assert.notEqual(await pool.acquireFresh(), page);
    assert.equal(await pool.acquireOwned('a'), page);
  });

  void it('returns the most recently used page of an owner', async () => {
    const { pool } = open();
    const [first, second] = [await pool.acquireOwned('a'), await pool.acquireOwned('a')];
    pool.release(first, { ownerId: 'a', ...SMALL });
    pool.release(second, { ownerId: 'a', ...SMALL });
    assert.equal(await pool.acquireOwned('a'), second);
    assert.equal(await pool.acquireOwned('a'), first);
  });

  void it('returns a page whose state is removed rather than one that was used later', async () => {
    const { pool } = open();
    const [first, second] = [await pool.acquireOwned('a'), await pool.acquireOwned('a')];
    pool.release(first, { ownerId: 'a', ...SMALL });
    pool.release(second, { ownerId: 'a', ...SMALL }, new Promise((resolve) => setImmediate(resolve, true)));
    await Promise.resolve();
    assert.equal(await pool.acquireOwned('a'), first);
  });

  const wornOut: [name: string, page: Partial<Page>, use: Partial<typeof SMALL>, isKept: boolean][] = [
    ['after a document of 256 KiB', {}, { documentBytes: 256 * KIBIBYTE }, true],
    ['after a larger document', {}, { documentBytes: 256 * KIBIBYTE + 1 }, false],
    ['after 199 renders', { renders: 199 }, {}, true],
    ['after 200 renders', { renders: 200 }, {}, false],
    ['after a loss', { lossReason: 'crashed' satisfies LossReason }, {}, false],
  ];
  for (const [name, state, use, isKept] of wornOut) {
    void it(`${isKept ? 'keeps' : 'discards'} a page ${name}`, async () => {
      const { pool, discarded } = open();
      const page = Object.assign(await pool.acquireOwned('a'), state);
      pool.release(page, { ownerId: 'a', ...SMALL, ...use });
      assert.deepEqual(discarded, isKept ? [] : [page]);
      assert.equal((await pool.acquireOwned('a')) === page, isKept);
    });
  }

  void it('discards an idle page whose renderer is larger than 300 MiB, and no page in use', async () => {
    const { pool, discarded } = open();
    const page = await pool.acquireOwned('a');
    pool.discardIfLarge(page, MAX_RESIDENT_BYTES + 1);
    assert.deepEqual(discarded, []);
    pool.release(page, { ownerId: 'a', ...SMALL });
    pool.discardIfLarge(page, MAX_RESIDENT_BYTES);
    assert.deepEqual(discarded, []);
    pool.discardIfLarge(page, MAX_RESIDENT_BYTES + 1);
    assert.deepEqual(discarded, [page]);
    assert.notEqual(await pool.acquireOwned('a'), page);
  });

  void it('discards the least recently used page if too many are idle', async () => {
    const { pool, discarded } = open({ owned: 2 });
    const pages = [await pool.acquireOwned('a'), await pool.acquireOwned('b'), await pool.acquireOwned('c')];
    pages.forEach((page, index) => pool.release(page, { ownerId: 'abc'.charAt(index), ...SMALL }));
    assert.deepEqual(discarded, [pages[0]]);
  });

  void it('does not return a page that was lost while it was idle', async () => {
    const { pool } = open({ fresh: 1 });
    pool.refill({ isIdle: false });
    const unused = await pool.acquireFresh();
    pool.release(unused, { ownerId: 'a', ...SMALL });
    unused.lossReason = 'browser';
    assert.notEqual(await pool.acquireOwned('a'), unused);
  });

  void it('discards a page that cannot be warmed up, and returns another', async () => {
    const warmUp = (): Promise<void> => Promise.reject(new Error('not printed'));
    const { pool, discarded } = open({ fresh: 1, warmUp });
    pool.refill({ isIdle: true });
    assert.equal((await pool.acquireFresh()).targetId, 'page 2');
    assert.deepEqual(
      discarded.map(({ targetId }) => targetId),
      ['page 1'],
    );
  });

  void it('creates pages in advance, and warms them up only if nothing else is rendered', async () => {
    const { pool, warmedUp } = open({ fresh: 2 });
    pool.refill({ isIdle: false });
    assert.deepEqual([(await pool.acquireFresh()).targetId, warmedUp], ['page 1', []]);
    pool.refill({ isIdle: true });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      warmedUp.map(({ targetId }) => targetId),
      ['page 3'],
    );
  });
});
