/** The memory of the browser's own process, which holds the Blobs and the caches of all documents. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { renderPage, type Page } from '#browser';
import { patientMs } from '../support/patience.ts';
import { openKeeper } from './open-keeper.ts';

const FILLS = {
  Blobs: `globalThis.kept = []; setInterval(() => kept.push(new Blob([new Uint8Array(2e7)])), 5); 0`,
  'its cache': `caches.open('x').then(async (cache) => { for (let i = 0; ; i += 1) await cache.put('/' + i, new Response(new Uint8Array(2e7))) }); 0`,
};

for (const [name, fill] of Object.entries(FILLS))
  void it(`a document that fills the browser with ${name} ends alone; its neighbor does not notice`, async () => {
    const { keeper, messages } = await openKeeper();
    const render = <T>(work: (page: Page) => Promise<T>): Promise<T> =>
      renderPage(
        keeper,
        { reuse: null, render: work },
        {
          accountId: 'test',
          remainingMs: patientMs(30_000),
          now: () => performance.now(),
          rendererMemoryMb: 500,
          signal: undefined,
        },
      );
    let fills = 0;
    let neighbors = 0;
    const ended = Promise.withResolvers<void>();
    try {
      const neighbor = render(async (page) => {
        neighbors += 1;
        await Promise.race([ended.promise, page.whenLost]);
        return page.evaluate('"printed"');
      });
      const filling = render(async (page) => {
        fills += 1;
        await page.evaluateInDocument(fill);
        return page.whenLost;
      });
      await assert.rejects(filling, { name: 'PageLostError', reason: 'memory' });
      ended.resolve();
      assert.equal(await neighbor, 'printed');
      assert.deepEqual({ fills, neighbors }, { fills: 2, neighbors: 1 });
      assert.ok(!messages.some((message) => /ended unexpectedly/.test(message)), messages.join());
    } finally {
      await keeper.close();
    }
  });
