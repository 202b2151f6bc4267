import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findChromium } from '../../src/browser/launch/find-chromium.ts';
import { listJails } from '../../src/browser/launch/jail.ts';
import { launchBrowser, type LaunchedBrowser } from '../../src/browser/launch/launch-browser.ts';
import { Browser } from '../../src/browser/pages/browser.ts';
import { OWN_URL } from '../../src/browser/pages/page.ts';
import { until } from './open-keeper.ts';

async function launch(): Promise<LaunchedBrowser> {
  const binary = await findChromium({ chromiumPath: null, cacheDir: null });
  assert.ok(binary);
  for (const jail of listJails({
    isRoot: process.getuid?.() === 0,
    requireSandbox: false,
    useNetworkNamespace: true,
  })) {
    const launched = await launchBrowser(binary, jail).catch(() => null);
    if (launched) return launched;
  }
  return assert.fail('no browser starts');
}

async function countRenderers({ connection }: LaunchedBrowser): Promise<number> {
  const { processInfo } = await connection.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').length;
}

void it('a page that could not be created leaves nothing behind, and the next one is created', async (test) => {
  const launched = await launch();
  const browser = new Browser(launched);
  test.after(() => browser.close());
  const first = await browser.createPage();
  const { connection } = launched;
  const send = connection.send.bind(connection);
  for (let round = 0; round < 3; round += 1) {
    connection.send = (method, params, sessionId) =>
      method === 'Page.createIsolatedWorld'
        ? Promise.reject(new Error('no world'))
        : send(method, params, sessionId);
    await assert.rejects(browser.createPage(), /no world/);
    connection.send = send;
    const next = await browser.createPage();
    assert.ok(next.pid > 0 && next.pid !== first.pid);
    browser.discardPage(next);
  }
  let renderers = Infinity;
  await until(() => {
    countRenderers(launched).then(
      (count) => (renderers = count),
      () => {},
    );
    return renderers === 1;
  });
});

void it('a page that opens another origin keeps its renderer, whose memory is watched', async (test) => {
  const launched = await launch();
  const browser = new Browser(launched);
  test.after(() => browser.close());
  const page = await browser.createPage();
  for (const url of ['https://site.example/', 'http://other.example:8080/a', OWN_URL]) {
    await page.open(url);
    assert.equal(await page.evaluateInDocument('location.href + document.referrer'), url);
    const { processInfo } = await launched.connection.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    assert.deepEqual(renderers, [page.pid]);
  }
});
