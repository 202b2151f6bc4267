import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '#browser';
import { OWN_URL } from '../../src/browser/pages/page.ts';
import { isAlive, openKeeper, until, useKeeper, type TestKeeper } from './open-keeper.ts';
import { patientMs } from '../support/patience.ts';

void describe('a page that was used', () => {
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

  void it('has a new document at the same URL if the last one left state in it', async () => {
    const html = '<meta http-equiv=refresh content="1;url=http://other.example/"><p>left';
    const leave = async (page: Page): Promise<string> => {
      await page.send('Page.setDocumentContent', { frameId: page.targetId, html });
      await page.evaluateInDocument('window.left = 1');
      return page.targetId;
    };
    /** Returns whether the page is used again, and checks it if so. */
    const useAgain = async (pauseMs: number): Promise<boolean> => {
      const used = await useKeeper(test.keeper, 'e', leave, { leaves: 'document' });
      // The page is returned to the pool after the render.
      await wait(pauseMs);
      return useKeeper(test.keeper, 'e', async (page) => {
        if (page.targetId !== used) return false;
        assert.equal(await page.evaluateInDocument('document.body.innerText + window.left'), 'undefined');
        await wait(1_500);
        assert.equal(page.lossReason, null, 'the refresh of the last document');
        return true;
      });
    };
    // On a busy machine a page may not open its empty document in time, and is discarded.
    let attempt = 1;
    while (!(await useAgain(attempt * 500))) assert.ok(++attempt <= 6);
  });

  void it('creates as many script contexts for its tenth document as for its first', async () => {
    /** Returns the number of the newest context: contexts of a page are numbered in their order. */
    const countContexts = async (page: Page): Promise<number> => {
      const { executionContextId } = await page.send('Page.createIsolatedWorld', {
        frameId: page.targetId,
        worldName: 'newest',
      });
      return executionContextId;
    };
    const created = await useKeeper(test.keeper, 'w', async (page) => {
      const counts = [await countContexts(page)];
      for (let document = 0; document < 10; document += 1) {
        await page.open(OWN_URL);
        await page.evaluateInDocument('0');
        counts.push(await countContexts(page));
      }
      return counts.slice(1).map((count, index) => count - (counts[index] ?? 0));
    });
    assert.ok((created[9] ?? 0) <= (created[0] ?? 0), `contexts per document: ${created.join(' ')}`);
  });

  void it('ends if it does not leave its document', async () => {
    const hang = (page: Page): Promise<number> => {
      page.sendAndForget('Runtime.evaluate', { expression: 'for(;;);' });
      return Promise.resolve(page.pid);
    };
    const pid = await useKeeper(test.keeper, 'f', hang, { leaves: 'document' });
    assert.ok(isAlive(pid));
    await until(() => !isAlive(pid));
  });

  void it('fails at once if it is lost while it opens a document', async () => {
    const openings: Promise<string>[] = [];
    const lose = (page: Page): Promise<void> => {
      const opening = page.open('http://other.example/', undefined, () => Promise.resolve());
      openings.push(opening.then(() => 'opened', String));
      page.abandon('crashed');
      return opening;
    };
    await assert.rejects(useKeeper(test.keeper, 'g', lose), { reason: 'crashed' });
    assert.match(await Promise.race([...openings, wait(patientMs(1_000), 'hangs')]), /PageLostError/);
  });
});
