import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { it } from 'node:test';
import { findChromium } from '../../src/browser/launch/find-chromium.ts';
import { Browser } from '../../src/browser/pages/browser.ts';
import { listJails, type Jail } from '../../src/browser/launch/jail.ts';
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
