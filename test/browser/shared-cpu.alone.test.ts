/** The CPU time of the browser's own process, which works for all documents. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { it } from 'node:test';
import type { Page } from '#browser';
import { until, useKeeper } from './open-keeper.ts';
import { openSlots } from './open-slots.ts';

/** Keeps the browser's own process busy, but leaves it time for others. */
const CALL_BROWSER = `globalThis.blob = new Blob(['x']);
setInterval(() => { for (let n = 0; n < 300; n += 1) URL.createObjectURL(blob); }, 10); 0`;

const MAX_CPU_MS = 500;

/** Returns the nice values of the threads of a process. */
function listNice(pid: number): number[] {
  return [...new Set(readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread))))];
}

void it('a document that takes 0.5 s of CPU time of the browser that others wait for ends alone, and so do the next ones of its account', async () => {
  const slots = await openSlots({ slots: 2 });
  const run = <T>(accountId: string, work: (page: Page) => Promise<T>): Promise<T> =>
    slots.run({ accountId }, undefined, (keeper) => useKeeper(keeper, accountId, work));
  const { browser } = await slots.ensureRunning();
  const ended = Promise.withResolvers<void>();
  const pages = { greedy: [] as Page[], neighbor: 0 };
  let neighbor: Promise<unknown> = Promise.resolve();
  try {
    await run('greedy', async (page) => {
      pages.greedy.push(page);
      if (pages.greedy.length > 1) {
        assert.ok(Math.max(...listNice(page.pid)) < 19, 'the shared CPU time may be due to the neighbor');
        await page.evaluateInDocument(CALL_BROWSER);
        await until(() => slots.greedy.get('greedy') === true);
        return;
      }
      await page.evaluateInDocument(CALL_BROWSER);
      const startCpuMs = browser.cpuMs;
      await until(() => browser.cpuMs - startCpuMs > 2 * MAX_CPU_MS);
      assert.equal(page.lossReason, null, 'while no other renders, it stays');
      neighbor = run('neighbor', async (beside) => {
        pages.neighbor += 1;
        await Promise.race([ended.promise, beside.whenLost]);
        return beside.evaluate('"printed"');
      });
      neighbor.catch(() => {});
      await page.whenLost;
    });
    assert.deepEqual([pages.greedy[0]?.lossReason, pages.greedy.length], ['shared', 2]);
    assert.equal(browser.isLost, false);
    const renders = browser.renders;
    await run('greedy', (page) => {
      assert.deepEqual(listNice(page.pid), [19], 'its next browser has the lowest priority');
      return page.evaluate('0');
    });
    assert.equal(browser.renders, renders, 'its next document is not rendered in the shared browser');
    ended.resolve();
    assert.equal(await neighbor, 'printed');
    assert.equal(pages.neighbor, 1);
    const current = (await slots.ensureRunning()).browser;
    const before = current.renders;
    await run('neighbor', (page) => page.evaluate('0'));
    assert.equal(current.renders, before + 1);
  } finally {
    ended.resolve();
    await slots.close();
  }
});
