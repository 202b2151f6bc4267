import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { it } from 'node:test';
import { findChromium } from '../../src/browser/launch/find-chromium.ts';
import { Browser } from '../../src/browser/pages/browser.ts';
import { listJails, type Jail } from '../../src/browser/launch/jail.ts';
import type { Page } from '#browser';
import { until, useKeeper } from './open-keeper.ts';
import { openSlots } from './open-slots.ts';
import { launchBrowser, type LaunchedBrowser } from '../../src/browser/launch/launch-browser.ts';

const isRoot = process.getuid?.() === 0;
const jails = [true, false].flatMap((useNetworkNamespace) =>
  listJails({ isRoot, requireSandbox: false, useNetworkNamespace }),
);

function assertLower(pid: number, jail: Jail): void {
  for (const thread of readdirSync(`/proc/${pid}/task`).map(Number))
    assert.ok(
      getPriority(thread) > getPriority(),
      `${jail.prefix.join(' ')}: ${readFileSync(`/proc/${pid}/task/${thread}/comm`, 'latin1')}`,
    );
}

function readOomScore(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1'));
}

/** proc(5): fields 5 and 6. */
function readStat(pid: number): { group: string | undefined; session: string | undefined } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { group, session };
}

void it('the browser and its renderers run at a lower priority than the service, in every jail', async (test) => {
  const binary = await findChromium({ chromiumPath: null, cacheDir: null });
  assert.ok(binary);
  let started = 0;
  for (const jail of jails) {
    const launched: LaunchedBrowser | null = await launchBrowser(binary, jail).catch(() => null);
    if (launched === null) continue;
    started += 1;
    const browser = new Browser(launched);
    try {
      const page = await browser.createPage();
      await page.sendForData('Page.printToPDF', {});
      assert.ok(page.pid > 0);
      assert.doesNotMatch(readFileSync(`/proc/${launched.pid}/cmdline`, 'latin1'), /--type=/);
      // Chromium that keeps all rights of root raises its own priority. Where a user cannot be changed, a
      // priority cannot be raised either, but here both can.
      const keepsRights = isRoot && jail.user === null && !jail.prefix.includes('--no-new-privs');
      const pids: readonly number[] = [launched.pid, page.pid];
      assert.deepEqual(
        [process.pid, ...pids].map(readOomScore).map((score, at, [own = 0]) => score > own || at === 0),
        [true, true, true],
        'when memory is short, the kernel ends them before the service',
      );
      for (const pid of keepsRights ? [] : pids) assertLower(pid, jail);
      if (jail.hasOwnGroup)
        for (const pid of pids)
          assert.deepEqual(
            [readStat(pid).session, readStat(pid).group === readStat(process.pid).group],
            [readStat(process.pid).session, false],
            'in the session of the service, which shares the CPU with other sessions, but in a group of its own',
          );
    } finally {
      await browser.close();
    }
  }
  test.diagnostic(`${started} of ${jails.length} ways to start the browser work here`);
  assert.ok(started > 0);
});

/** Returns the nice values of the threads of a process. */
function listNice(pid: number): Set<number> {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number);
  return new Set(
    threads.filter((thread) => existsSync(`/proc/${thread}`)).map((thread) => getPriority(thread)),
  );
}

const SPIN = `globalThis.worker = new Worker(URL.createObjectURL(new Blob(['for(;;);']))); 0`;

void it('a renderer loses all of its priority with the CPU time it uses while others render, and is not used again', async () => {
  const slots = await openSlots({ slots: 2 });
  const run = <T>(ownerId: string, work: (page: Page) => Promise<T>): Promise<T> =>
    slots.run({ accountId: ownerId }, undefined, (keeper) =>
      useKeeper(keeper, ownerId, work, { leaves: 'realm' }),
    );
  try {
    const pid = await run('busy', (page) => Promise.resolve(page.pid));
    const other = Promise.withResolvers<void>();
    let neighbor: Promise<unknown> = Promise.resolve();
    await run('busy', async (page) => {
      assert.equal(page.pid, pid, 'the page stays with its owner');
      await page.evaluateInDocument(SPIN);
      await until(() => page.cpuMs > 3_000);
      assert.deepEqual([...listNice(pid)], [5], 'alone it has its priority');
      neighbor = run('neighbor', async (beside) => {
        await other.promise;
        assert.deepEqual([...listNice(beside.pid)], [5]);
      });
      await until(() => !listNice(pid).has(5));
      assert.deepEqual([...listNice(pid)], [19], 'each thread has the lowest one');
      other.resolve();
      await page.evaluateInDocument('worker.terminate()');
      await until(() => page.workers.count === 0);
    });
    await neighbor;
    assert.notEqual(await run('busy', (page) => Promise.resolve(page.pid)), pid);
  } finally {
    await slots.close();
  }
});
