import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from '#browser';
import { openKeeper, until, useKeeper, type TestKeeper } from './open-keeper.ts';

void describe('a render whose browser ends', { timeout: 60_000 }, () => {
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
