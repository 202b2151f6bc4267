import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, it } from 'node:test';
import type { Page } from '#browser';
import { isAlive, openKeeper, until, useKeeper, type TestKeeper } from './open-keeper.ts';

const MAX_RENDERS = 2_000;
const MAX_RESIDENT_BYTES = 300 * 1024 * 1024;

void describe('a browser that has grown old', () => {
  let test: TestKeeper;
  afterEach(() => test.keeper.close());

  const render = async (): Promise<string> => {
    const result = await useKeeper(test.keeper, null, () => Promise.resolve('done'));
    // The browser is replaced in the turn after its render.
    await nextTurn();
    return result;
  };
  const countReplacements = (): number =>
    test.messages.filter((message) => message === 'replacing the browser').length;

  void it('is replaced after 2,000 renders, not before', async () => {
    test = await openKeeper();
    const { browser } = await test.keeper.ensureRunning();
    browser.renders = MAX_RENDERS - 2;
    await render();
    assert.equal(countReplacements(), 0);
    await render();
    assert.equal(countReplacements(), 1);
    await until(() => !isAlive(browser.pid));
    const next = await test.keeper.ensureRunning();
    assert.notEqual(next.browser.pid, browser.pid);
    assert.equal(await render(), 'done');
    assert.equal(countReplacements(), 1);
  });

  void it('is replaced if its process is larger than 300 MiB', async () => {
    test = await openKeeper();
    const { browser } = await test.keeper.ensureRunning();
    let residentBytes = MAX_RESIDENT_BYTES;
    Object.defineProperty(browser, 'residentBytes', { get: () => residentBytes });
    await render();
    assert.equal(countReplacements(), 0);
    residentBytes += 1;
    await render();
    assert.equal(countReplacements(), 1);
    await until(() => !isAlive(browser.pid));
  });

  void it('finishes its renders in flight before it ends, while new renders use the next browser', async () => {
    test = await openKeeper();
    const { browser } = await test.keeper.ensureRunning();
    const held = Promise.withResolvers<void>();
    const slow = useKeeper(test.keeper, null, async (page) => {
      await held.promise;
      return page.evaluate('1 + 1');
    });
    await until(() => browser.accounts.length === 1);
    browser.renders = MAX_RENDERS;
    await render();
    await until(() => test.messages.filter((message) => message === 'the browser is ready').length === 2);
    const next = await test.keeper.ensureRunning();
    assert.notEqual(next.browser.pid, browser.pid);
    assert.equal(await render(), 'done');
    assert.ok(isAlive(browser.pid));
    held.resolve();
    assert.equal(await slow, 2);
    await until(() => !isAlive(browser.pid));
    assert.ok(isAlive(next.browser.pid));
  });
});

void describe('a browser that does not respond', () => {
  let test: TestKeeper;
  afterEach(() => test.keeper.close());

  void it('is replaced after 0.1 s if a document took too much of it, whose neighbors move to the next one', async () => {
    test = await openKeeper();
    const { browser } = await test.keeper.ensureRunning();
    const pages: Page[] = [];
    const countStarts = (): number =>
      test.messages.filter((message) => message === 'the browser is ready').length;
    const rendered = useKeeper(test.keeper, null, async (page) => {
      pages.push(page);
      if (pages.length > 1) return 'printed';
      await page.whenLost.catch(() => {});
      assert.equal(countStarts(), 2, 'the next browser runs before this one ends');
      return page.whenLost;
    });
    await until(() => pages.length === 1);
    browser.ping = () => new Promise(() => {});
    void browser.catchUp();
    await test.keeper.replaceIfUnresponsive(browser, { wasGreedy: true });
    assert.equal(await rendered, 'printed');
    const next = (await test.keeper.ensureRunning()).browser;
    assert.notEqual(next.pid, browser.pid);
    assert.equal(next.renders, 1);
    await until(() => !isAlive(browser.pid));
  });

  void it('ends although it has renders in flight, which are repeated; one that responds does not', async () => {
    test = await openKeeper();
    const { browser } = await test.keeper.ensureRunning();
    let attempts = 0;
    const rendered = useKeeper(test.keeper, null, async (page) => {
      attempts += 1;
      return attempts > 1 ? 'repeated' : page.whenLost;
    });
    await until(() => attempts === 1);
    for (const isResponsive of [true, false]) {
      assert.ok(isAlive(browser.pid));
      browser.ping = () => (isResponsive ? Promise.resolve() : new Promise(() => {}));
      await test.keeper.replaceIfUnresponsive(browser);
    }
    await until(() => !isAlive(browser.pid));
    assert.equal(await rendered, 'repeated');
    const next = await test.keeper.ensureRunning();
    assert.notEqual(next.browser.pid, browser.pid);
    assert.ok(isAlive(next.browser.pid));
  });
});
