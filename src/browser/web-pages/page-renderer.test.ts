import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PageLostError } from '../browser-errors.ts';
import type { BrowserKeeper } from '../render-slots.ts';
import { openSlots, type TestSlots } from '../../../test/browser/open-slots.ts';
import { VirtualTime } from '../pages/virtual-time.ts';
import type { BudgetRest } from '../resources/fetch-resource.ts';
import { createPageRenderer } from './page-renderer.ts';

/** A running browser that is lost as soon as a page is used. */
function createLosingBrowser(attempts: string[], name: string) {
  const page = {
    lossReason: 'browser',
    whenLost: new Promise(() => {}),
    reset() {},
    abandon() {},
    time: new VirtualTime({
      whenLost: new Promise<never>(() => {}),
      send: async () => ({ virtualTimeTicksBase: 0 }),
      sendAndForget() {},
    }),
    send: () => Promise.reject(new PageLostError('browser')),
  };
  return {
    browser: { accounts: [], renders: 0, ping: () => Promise.resolve(), discardPage() {}, close() {} },
    pool: {
      acquireFresh() {
        attempts.push(name);
        return Promise.resolve(page);
      },
      discardIfLarge() {},
    },
  };
}

/** Renders a page of 1,000 bytes in browsers that are lost. Counts the fetchers that are opened. */
async function render(budget: BudgetRest) {
  const attempts: string[] = [];
  const accounts: string[] = [];
  const keeper = {
    greedy: { has: (accountId: string) => accounts.push(accountId) < 0, get: () => undefined },
    ensureRunning: () => Promise.resolve(createLosingBrowser(attempts, 'shared')),
    launchPrivate: () => Promise.resolve(createLosingBrowser(attempts, 'own')),
    replaceIfOld() {},
    replaceIfUnresponsive: () => Promise.resolve(),
  } as unknown as BrowserKeeper;
  const slots = {
    run: (_caller: unknown, signal: AbortSignal, work: (...args: unknown[]) => unknown) =>
      work(keeper, signal),
  } as unknown as TestSlots;
  const rests: unknown[] = [];
  const renderPage = createPageRenderer({
    slots,
    openResourceFetcher: ({ left }) => {
      rests.push(left);
      return () => Promise.reject(new Error('no request is made'));
    },
    nameClient: ({ accountId }) => `group ${accountId}`,
    rendererMemoryMb: 600,
    now: () => performance.now(),
  });
  const page = { url: 'https://a.example/', status: 200, headers: new Map(), contentType: 'text/html' };
  const limits = { reach: 'public', mayNavigate: true, timeoutMs: 5_000, budget } as const;
  const { kind } = await renderPage({ ...page, body: Buffer.alloc(1_000), ...limits }, { accountId: 'a' });
  return { kind, attempts, rests, accounts };
}

it('a render waits for its slot as long as the caller says', async () => {
  const waits: unknown[] = [];
  const slots = await openSlots({
    withSlot(_caller, _signal, _work, options) {
      waits.push(options?.maxWaitMs);
      return Promise.reject(new PageLostError('browser'));
    },
    chromiumPath: '/nonexistent/chromium',
  });
  const renderPage = createPageRenderer({
    slots,
    openResourceFetcher: () => () => Promise.reject(new Error('no request is made')),
    rendererMemoryMb: 600,
    now: () => performance.now(),
  });
  const page = { url: 'https://a.example/', status: 200, headers: new Map(), contentType: 'text/html' };
  const budget = { requests: 9, bytes: 9_000 };
  const request = { ...page, body: Buffer.alloc(1), reach: 'public', mayNavigate: true, budget } as const;
  await renderPage({ ...request, timeoutMs: 5_000 }, { accountId: 'a' });
  await renderPage({ ...request, timeoutMs: 5_000 }, { accountId: 'a' }, undefined, { maxWaitMs: Infinity });
  await slots.close();
  assert.deepEqual(waits, [undefined, Infinity]);
});

it('the work of the browser for a page is charged to the caller, as documents name it', async () => {
  const { accounts } = await render({ requests: 100, bytes: 5_000 });
  assert.deepEqual(new Set(accounts), new Set(['group a']));
});

describe('the budget of a render', () => {
  it('holds for both attempts, if the first loses its browser: they share one fetcher', async () => {
    const budget = { requests: 100, bytes: 5_000 };
    const { kind, attempts, rests } = await render(budget);
    assert.deepEqual([kind, attempts], ['failed', ['shared', 'own']]);
    assert.equal(rests.length, 1);
    assert.equal(rests[0], budget);
    assert.deepEqual(budget, { requests: 99, bytes: 4_000 }, 'the page itself counts, once');
  });

  it('that other renders have used up leaves nothing to render with', async () => {
    for (const budget of [
      { requests: 0, bytes: 5_000 },
      { requests: 100, bytes: 999 },
    ]) {
      const { kind, attempts } = await render(budget);
      assert.deepEqual([kind, attempts], ['failed', []]);
    }
  });
});
