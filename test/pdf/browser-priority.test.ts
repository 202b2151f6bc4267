import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { it } from 'node:test';
import { findChromium } from '../../src/pdf/browser/find-chromium.ts';
import { Browser } from '../../src/pdf/browser/browser.ts';
import { listJails, type Jail } from '../../src/pdf/browser/jail.ts';
import { launchBrowser } from '../../src/pdf/browser/launch-browser.ts';

const isRoot = process.getuid?.() === 0;
const jails = [true, false].flatMap((useNetworkNamespace) =>
  listJails({ isRoot, requireSandbox: false, useNetworkNamespace }),
);

/** Where Chromium keeps the rights of root, it raises the priority of a few threads that do little. */
function assertLower(pid: number, jail: Jail): void {
  const keepsRights = isRoot && jail.user === null && !jail.prefix.includes('--no-new-privs');
  for (const thread of keepsRights ? [pid] : readdirSync(`/proc/${pid}/task`).map(Number))
    assert.ok(
      getPriority(thread) > getPriority(),
      `${jail.prefix.join(' ')}: ${readFileSync(`/proc/${pid}/task/${thread}/comm`, 'latin1')}`,
    );
}

void it('the browser and its renderers run at a lower priority than the service, however they are started', async (test) => {
  const binary = await findChromium({ chromiumPath: null, cacheDir: null });
  assert.ok(binary);
  let started = 0;
  for (const jail of jails) {
    const launched = await launchBrowser(binary, jail).catch(() => null);
    if (launched === null) continue;
    started += 1;
    const browser = new Browser(launched);
    try {
      const page = await browser.createPage();
      await page.printToPdf({});
      assert.ok(page.pid > 0);
      for (const pid of [launched.pid, page.pid]) assertLower(pid, jail);
      if (existsSync('/proc/self/autogroup'))
        assert.match(readFileSync(`/proc/${page.pid}/autogroup`, 'latin1'), / nice [1-9]\d*$/m);
    } finally {
      await browser.close();
    }
  }
  test.diagnostic(`${started} of ${jails.length} ways to start the browser work here`);
  assert.ok(started > 0);
});
