import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BrowserKeeper, CdpError, type Page, renderPage } from '#browser';
import { openKeeper, until, useKeeper, type TestKeeper } from './open-keeper.ts';

void describe('a render whose browser ends', () => {
  let test: TestKeeper;
  before(async () => {
    test = await openKeeper();
  });
  after(() => test.keeper.close());

  /** Renders with `work`, whose first attempt loses the shared browser. */
  async function render(work: (page: Page) => Promise<string>): Promise<string> {
    let attempts = 0;
    return useKeeper(test.keeper, null, async (page) => {
      attempts += 1;
      if (attempts > 1) return work(page);
      const { browser } = await test.keeper.ensureRunning();
      browser.kill('unresponsive');
      return page.whenLost;
    });
  }

  void it('is repeated in a browser of its own', async () => {
    assert.equal(await render((page) => page.evaluate('"repeated"') as Promise<string>), 'repeated');
  });

  void it('rejects with the error of the second attempt', async () => {
    await assert.rejects(
      render(() => Promise.reject(new Error('of the document'))),
      /^Error: of the document$/,
    );
  });

  void it('rejects as crashed if the second browser ends too', async () => {
    const lost = render(async (page) => {
      page.sendAndForget('Browser.crash');
      return page.whenLost;
    });
    await assert.rejects(lost, { name: 'PageLostError', reason: 'crashed' });
    await until(() => test.messages.includes('the browser is ready'));
  });
});

void describe('a render that waits for a browser', () => {
  const never = (): Promise<never> => new Promise(() => {});
  const work = {
    reuse: null,
    render: never,
    finish: (result: never) => Promise.resolve(result),
  };
  const limits = { accountId: 'test', remainingMs: 300, now: () => performance.now(), rendererMemoryMb: 600 };

  void it('ends with its signal while the shared browser starts', async () => {
    const keeper = { ensureRunning: never } as unknown as BrowserKeeper;
    for (const signal of [AbortSignal.abort(new Error('left')), AbortSignal.timeout(20)])
      await assert.rejects(renderPage(keeper, work, { ...limits, signal }), /left|timeout/);
  });

  void it('ends at its deadline while a browser of its own starts', async () => {
    const { keeper } = await openKeeper();
    keeper.launchPrivate = never;
    const render = async (page: Page): Promise<never> => {
      (await keeper.ensureRunning()).browser.kill('unresponsive');
      return page.whenLost;
    };
    const lost = renderPage(keeper, { ...work, render }, { ...limits, signal: undefined });
    await assert.rejects(lost, { name: 'PageLostError', reason: 'deadline' });
    await keeper.close();
  });

  void it('is unavailable, and not a fault of the document, if the browser creates no page', async () => {
    const { keeper } = await openKeeper();
    const { pool } = await keeper.ensureRunning();
    pool.acquireFresh = () => Promise.reject(new CdpError('no page'));
    const failed = renderPage(keeper, work, { ...limits, signal: undefined });
    await assert.rejects(failed, { name: 'BrowserUnavailableError', retryAfterSeconds: 1 });
    await keeper.close();
  });

  void it('of its own ends the start when its caller leaves: its slot may start the next one', async () => {
    const { keeper, messages } = await openKeeper();
    keeper.greedy.set('test', true);
    for (let count = 0; count < 3; count += 1) {
      const signal = AbortSignal.timeout(30);
      await assert.rejects(renderPage(keeper, work, { ...limits, remainingMs: 60_000, signal }), /timeout/);
    }
    // The others would have started by then.
    await (await keeper.launchPrivate()).browser.close();
    await keeper.close();
    assert.equal(messages.filter((message) => message === 'the browser is ready').length, 2);
  });

  void it('gets none that starts after the service has closed', async () => {
    const { keeper, messages } = await openKeeper();
    const starting = keeper.launchPrivate();
    await keeper.close();
    await assert.rejects(starting, { name: 'BrowserUnavailableError' });
    const starts = messages.length;
    await assert.rejects(keeper.launchPrivate(), { name: 'BrowserUnavailableError' });
    assert.equal(messages.length, starts);
  });
});
