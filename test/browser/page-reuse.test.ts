import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isAlive, openKeeper, until, useKeeper, type TestKeeper } from './open-keeper.ts';

void describe('a page that was used', { timeout: 60_000 }, () => {
  let test: TestKeeper;
  before(async () => {
    test = await openKeeper();
  });
  after(() => test.keeper.close());

  /** Returns the page and the renderer process that the browser gives an owner. */
  const use = (ownerId: string | null): Promise<{ page: string; pid: number }> =>
    useKeeper(test.keeper, ownerId, (page) => Promise.resolve({ page: page.targetId, pid: page.pid }));

  void it('is never given to another owner', async () => {
    const first = await use('a');
    const other = await use('b');
    assert.notEqual(other.page, first.page);
    assert.notEqual(other.pid, first.pid);
    assert.deepEqual(await use('a'), first);
    assert.deepEqual(await use('b'), other);
  });

  void it('ends after its document if it has no owner', async () => {
    const [once, again, owned] = [await use(null), await use(null), await use('c')];
    assert.equal(new Set([once.page, again.page, owned.page]).size, 3);
    assert.equal(new Set([once.pid, again.pid, owned.pid]).size, 3);
    await until(() => !isAlive(once.pid) && !isAlive(again.pid));
    assert.ok(isAlive(owned.pid));
  });

  void it('is not used again after an error', async () => {
    const failed = useKeeper(test.keeper, 'd', (page) => Promise.reject(new Error(page.targetId)));
    const id = await failed.then(assert.fail, (error: Error) => error.message);
    assert.notEqual((await use('d')).page, id);
  });
});
