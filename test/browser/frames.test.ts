import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Page, renderPage } from '#browser';
import { openKeeper, useKeeper, type TestKeeper } from './open-keeper.ts';

/** Starts an observer that is busy without end as soon as a frame calls it. */
const BUSY = 'new ResizeObserver(() => { for (;;); }).observe(document.documentElement); 0';
/** A frame is counted as soon as it calls an observer. */
const COUNT =
  'window.count = 0; new ResizeObserver(() => { count += 1 }).observe(document.documentElement); 0';

void describe('the frames of one browser', () => {
  let test: TestKeeper;
  before(async () => {
    test = await openKeeper();
  });
  after(() => test.keeper.close());

  void it('call the observers of a page before they are over', async () => {
    const count = await useKeeper(test.keeper, null, async (page) => {
      await page.evaluateInDocument(COUNT);
      await page.showFrame();
      return page.evaluateInDocument('count');
    });
    assert.equal(count, 1);
  });

  void it('come only when they are asked for', async () => {
    const count = await useKeeper(test.keeper, null, async (page) => {
      await page.evaluateInDocument(COUNT);
      await wait(200);
      return page.evaluateInDocument('count');
    });
    assert.equal(count, 0);
  });

  void it('of 30 pages at the same time, half of them lost in their frame, do not end it', async () => {
    const { browser } = await test.keeper.ensureRunning();
    const show = (at: number): Promise<unknown> =>
      useKeeper(test.keeper, null, async (page) => {
        const isLost = at % 2 === 1;
        await page.evaluateInDocument(isLost ? BUSY : COUNT);
        if (isLost) setTimeout(() => page.abandon('discarded'), at % 7);
        await page.showFrame();
        return page.showFrame();
      }).catch((error: Error) => error.message);
    const outcomes = await Promise.all(Array.from({ length: 30 }, (_, at) => show(at)));
    assert.equal(outcomes.filter((outcome) => outcome === undefined).length, 15);
    assert.deepEqual(new Set(outcomes), new Set([undefined, 'the page is lost: discarded']));
    assert.equal(browser.isLost, false);
    assert.ok(!test.messages.some((message) => message.includes('ended')));
  });
});

void describe('a document that is busy in its frame without end', () => {
  let test: TestKeeper;
  before(async () => {
    test = await openKeeper();
  });
  after(() => test.keeper.close());

  void it('is rendered again in a browser of its own, and others are shown meanwhile', async () => {
    const pages: Page[] = [];
    const render = async (page: Page): Promise<void> => {
      pages.push(page);
      await page.evaluateInDocument(BUSY);
      await page.showFrame();
    };
    const limits = {
      accountId: 'test',
      remainingMs: 8_000,
      now: () => performance.now(),
      rendererMemoryMb: 1_200,
      signal: undefined,
    };
    const work = { reuse: null, render, finish: () => Promise.resolve() };
    const busy = assert.rejects(renderPage(test.keeper, work, limits), { reason: 'deadline' });
    while (pages.length === 0) await wait(10);
    await wait(50);
    await useKeeper(test.keeper, null, (page) => page.showFrame());
    assert.equal(pages[0]?.lossReason, 'frame');
    await busy;
    assert.deepEqual(
      pages.map(({ lossReason }) => lossReason),
      ['frame', 'deadline'],
    );
  });

  void it('is left alone if no other page waits', async () => {
    const work = useKeeper(test.keeper, null, async (page) => {
      await page.evaluateInDocument(
        'new ResizeObserver(() => { const work = (n) => { for (let at = 0; at < 1e8; at += 1) n += at; return n }; for (let at = 0; at < 12; at += 1) work(at) }).observe(document.documentElement); 0',
      );
      await page.showFrame();
      return page.lossReason;
    });
    assert.equal(await work, null);
  });
});
