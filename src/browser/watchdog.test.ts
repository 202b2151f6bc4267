import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Browser } from './pages/browser.ts';
import type { Page } from './pages/page.ts';
import { createGreedyAccounts, createWatchdog, watchBrowser } from './watchdog.ts';

/** A browser that responds when the test says so, watched by a mocked clock. */
function watch(test: TestContext, isNeeded: () => boolean) {
  test.mock.timers.enable({ apis: ['setInterval'] });
  const kills: string[] = [];
  let respond = (): void => {};
  const { isLate, close } = watchBrowser(
    {
      ping: () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
      kill: (reason) => void kills.push(reason),
    },
    isNeeded,
  );
  return { kills, isLate, close, respond: () => respond(), pass: (ms: number) => test.mock.timers.tick(ms) };
}

void describe('a browser that many renders share', () => {
  void it('is killed when it does not respond for one and a half seconds', (test) => {
    const { kills, close, pass } = watch(test, () => true);
    pass(1_500);
    assert.deepEqual(kills, []);
    pass(100);
    assert.deepEqual(kills, ['unresponsive']);
    close();
    pass(10_000);
    assert.deepEqual(kills, ['unresponsive']);
  });

  void it('is kept while it responds, however late', async (test) => {
    const { kills, close, respond, pass } = watch(test, () => true);
    for (let round = 0; round < 5; round += 1) {
      pass(1_400);
      respond();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(kills, []);
    close();
  });

  void it('is late when it has not responded from one poll to the next', async (test) => {
    const { isLate, close, respond, pass } = watch(test, () => true);
    pass(100);
    assert.equal(isLate(), false);
    pass(100);
    assert.equal(isLate(), true);
    respond();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isLate(), false);
    close();
  });

  void it('is kept if no other render needs it', (test) => {
    const { kills, close, pass } = watch(test, () => false);
    pass(60_000);
    assert.deepEqual(kills, []);
    close();
  });
});

interface Doings {
  isAlone?: boolean;
  hasOthers?: boolean;
  isLate?: boolean;
  isCatchingUp?: boolean;
  requests?: number;
  /** The CPU time of the document's renderer and of all renderers, and of the browser, from poll to poll. */
  rendererMs?: number;
  allMs?: number;
  /** The same of all documents of the account. */
  accountMs?: number;
  browserMs: number;
}

/** Polls ten times while a document and its browser do this; returns what became of it, with the poll. */
function pollWhile({ isAlone = false, rendererMs = 50, browserMs, ...doings }: Doings) {
  const events: string[] = [];
  let poll = 0;
  const note = (event: string) => () => void events.push(`${event} at poll ${poll}`);
  const page = {
    cpuMs: 0,
    recentCpuMs: 0,
    requests: doings.requests ?? 0,
    residentBytes: 0,
    demote: note('demoted'),
    abandon: (reason: string) => note(reason === 'shared' ? 'expelled' : reason)(),
  };
  const browser = {
    pid: 0,
    cpuMs: 0,
    residentBytes: 0,
    isCatchingUp: doings.isCatchingUp === true,
    accounts: ['own', ...(doings.hasOthers === false ? [] : ['other'])],
    sumRecentCpuMs: (accountId?: string) => {
      const { accountMs = rendererMs, allMs = accountMs } = doings;
      return (page.recentCpuMs * (accountId === undefined ? allMs : accountMs)) / rendererMs;
    },
    kill: note('killed'),
  };
  const greedy = createGreedyAccounts(() => 1);
  const look = createWatchdog(browser as unknown as Browser, page as unknown as Page, {
    rendererMemoryMb: 600,
    isAlone,
    hasOthers: () => doings.hasOthers !== false,
    isLate: () => doings.isLate === true,
    accountId: 'own',
    greedy,
  });
  for (poll = 1; poll <= 10; poll += 1) {
    page.cpuMs += rendererMs;
    browser.cpuMs += browserMs;
    look();
  }
  return {
    isGreedy: greedy.has('own'),
    first: (event: string) => events.find((one) => one.startsWith(`${event} at`)) ?? null,
  };
}

void describe('a document in a browser that others use', () => {
  for (const [what, doings, when] of [
    ['has used 0.5 s of its CPU time', { browserMs: 60 }, 'expelled at poll 9'],
    ['has made more than 500 requests', { browserMs: 0, requests: 501 }, 'expelled at poll 1'],
    ['has used 0.15 s of it while it is late', { browserMs: 60, isLate: true }, 'expelled at poll 3'],
    [
      'has used that together with others of its account',
      { browserMs: 60, isLate: true, accountMs: 150 },
      'expelled at poll 3',
    ],
  ] as const)
    void it(`is expelled when it ${what}`, () => {
      assert.equal(pollWhile(doings).first('expelled'), when);
    });

  for (const [what, doings] of [
    ['no document of another account is there', { browserMs: 90, hasOthers: false }],
    ['half of that time is due to another one', { browserMs: 90, allMs: 100 }],
    ['the browser works for one that was expelled', { browserMs: 90, isCatchingUp: true }],
    ['it has made 500 requests', { browserMs: 0, requests: 500 }],
    ['its account has done its work there', { browserMs: 9, isLate: true }],
  ] as const)
    void it(`stays if ${what}`, () => assert.equal(pollWhile(doings).first('expelled'), null));

  void it('loses priority with the CPU time of its renderer and its browser', () => {
    assert.equal(pollWhile({ rendererMs: 60, browserMs: 40 }).first('demoted'), 'demoted at poll 6');
  });
});

void describe('a document in a browser of its own', () => {
  const own = pollWhile({ isAlone: true, rendererMs: 60, browserMs: 60 });

  void it('stays, and loses priority with the CPU time of both', () => {
    assert.equal(own.first('expelled'), null);
    assert.equal(own.first('demoted'), 'demoted at poll 5');
  });

  void it('is greedy when it would have been expelled', () => {
    assert.equal(own.isGreedy, true);
    assert.equal(pollWhile({ isAlone: true, browserMs: 40 }).isGreedy, false);
  });
});

void it('an account is greedy for a minute, which begins anew each time it takes too much', () => {
  let now = 1;
  const greedy = createGreedyAccounts(() => now);
  assert.equal(greedy.has('a'), false);
  greedy.set('a', true);
  now = 30_000;
  greedy.set('b', true);
  now = 60_000;
  assert.deepEqual([greedy.has('a'), greedy.has('b'), greedy.has('c')], [true, true, false]);
  greedy.set('a', true);
  now = 90_002;
  assert.deepEqual([greedy.has('a'), greedy.has('b')], [true, false]);
  now = 120_002;
  assert.equal(greedy.has('a'), false);
});
