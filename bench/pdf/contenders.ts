/** Opens the programs that are compared: Chromium alone, the library, the service, and their peers. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { availableParallelism } from 'node:os';
import * as browser from '../../src/browser/index.ts';
import * as pdf from '../../src/pdf/index.ts';
import { openPdfEngineOf } from '../../test/pdf/support/open-pdf-engine.ts';
import { Browser } from '../../src/browser/pages/browser.ts';
import { findChromium, type ChromiumBinary } from '../../src/browser/launch/find-chromium.ts';
import { listJails } from '../../src/browser/launch/jail.ts';
import { launchBrowser } from '../../src/browser/launch/launch-browser.ts';
import type { Page } from '../../src/browser/pages/page.ts';
import { startApp, WITH_BROWSER } from '../../test/support/start-app.ts';
import { createWithSlot } from '../../test/pdf/support/open-engine.ts';
import { type Contender, SERVICE, STATIC_LANE } from './contender.ts';
import type { ServedInvoice } from './invoice-with-resources.ts';
import { openPrograms, openPuppeteer } from './peers.ts';

const CALLER = { keyId: 'bench', accountId: 'bench', slots: null };

const A4 = {
  paperWidth: 8.27,
  paperHeight: 11.69,
  marginTop: 0.79,
  marginBottom: 0.79,
  marginLeft: 0.59,
  marginRight: 0.59,
  printBackground: true,
};

/** Starts a browser as the service does. */
export async function openBrowser(binary: ChromiumBinary): Promise<Browser> {
  const [jail] = listJails({
    isRoot: process.getuid?.() === 0,
    requireSandbox: false,
    useNetworkNamespace: true,
  });
  if (!jail) throw new Error('no way to start the browser');
  return new Browser(await launchBrowser(binary, jail));
}

/**
 * Opens Chromium alone: it prints a document that is already loaded in a warm page, and then also loads each
 * document, which is the least that a service has to do. Closing the first closes both.
 */
export async function openLimits(binary: ChromiumBinary): Promise<Contender[]> {
  const browser = await openBrowser(binary);
  const idle: Page[] = [];
  for (let count = 0; count < availableParallelism(); count += 1) idle.push(await browser.createPage());
  const waiting: ((page: Page) => void)[] = [];
  let loadedHtml: string | null = null;
  const usePage = async (load: (page: Page) => Promise<unknown>): Promise<Uint8Array> => {
    const page = idle.pop() ?? (await new Promise<Page>((resolve) => waiting.push(resolve)));
    await load(page);
    const pdf = await page.sendForData('Page.printToPDF', A4);
    const next = waiting.shift();
    if (next) next(page);
    else idle.push(page);
    return pdf;
  };
  return [
    {
      name: 'the limit: bare printToPDF',
      isOffline: true,
      async prepare(html) {
        if (html === loadedHtml) return;
        loadedHtml = html;
        for (const page of idle) {
          await loadInto(page, html);
          await page.sendForData('Page.printToPDF', A4);
        }
      },
      render: () => usePage(() => Promise.resolve()),
      close: () => browser.close(),
    },
    {
      name: 'bare loading and printToPDF',
      isOffline: true,
      render(html) {
        loadedHtml = null;
        return usePage((page) => loadInto(page, html));
      },
      close: () => Promise.resolve(),
    },
  ];
}

async function loadInto(page: Page, html: string): Promise<void> {
  const loaded = new Promise<void>((resolve) => (page.onLoad = resolve));
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html });
  await loaded;
}

/** Opens both lanes of the library; closing the first closes both. */
export async function openOwn(site: Pick<ServedInvoice, 'find'>): Promise<Contender[]> {
  // As for one account by default: while one document waits for the browser, another uses the core.
  const slots = availableParallelism() + 1;
  const engine = await openPdfEngineOf(browser, pdf, {
    openResourceFetcher: () => (request) => {
      const [contentType, body] = site.find(request.url) ?? [];
      if (contentType === undefined || body === undefined)
        return Promise.resolve({ failure: 'is not served' });
      return Promise.resolve({
        url: request.url,
        status: 200,
        headers: [['content-type', contentType]],
        body,
      });
    },
    now: Date.now,
    log: { info() {}, warn() {}, error: console.error },
    slots,
    withSlot: createWithSlot(slots + 1, Infinity),
    requireSandbox: false,
    rendererMemoryMb: 1_200,
    timeoutMs: 30_000,
  });
  const render = (extra: object) => async (html: string) =>
    (await engine.generatePdf(pdf.parsePdfRequest({ html, ...extra }), CALLER)).pdf;
  return [
    { name: STATIC_LANE, render: render({}), close: () => engine.close() },
    { name: 'our library, warm lane', render: render({ wait_for: 0 }), close: () => Promise.resolve() },
  ];
}

async function openService(): Promise<Contender> {
  const service = await startApp({
    ...WITH_BROWSER,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    PLANS: 'bench=1000000',
  });
  const key = await service.createKey('bench');
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  return {
    name: SERVICE,
    render: (html) =>
      post(`${service.url}/v1/pdf/generate`, { agent, headers, body: JSON.stringify({ html }) }),
    async close() {
      agent.destroy();
      await service[Symbol.asyncDispose]();
    },
  };
}

/**
 * Sends a request and returns the body of the response. The client runs in this process and is timed too:
 * fetch() would take longer than the service adds.
 */
async function post(
  url: string,
  { agent, headers, body }: { agent: Agent; headers: Record<string, string>; body: string },
): Promise<Uint8Array> {
  const sent = request(url, { method: 'POST', agent, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks = (await response.toArray()) as Buffer[];
  if (response.statusCode !== 200)
    throw new Error(`${response.statusCode} ${Buffer.concat(chunks).toString()}`);
  return Buffer.concat(chunks);
}

/** Finds the browser of the project. */
export async function findBinary(): Promise<ChromiumBinary> {
  const binary = await findChromium({ chromiumPath: null, cacheDir: null });
  if (!binary) throw new Error('no browser was found: run npm run setup');
  return binary;
}

/**
 * Opens what can be measured on this machine, the limit first. Without the peers, only this project's
 * programs follow.
 */
export async function openContenders(
  site: ServedInvoice,
  { withPeers }: { withPeers: boolean },
): Promise<Contender[]> {
  const binary = await findBinary();
  const own = [...(await openLimits(binary)), ...(await openOwn(site)), await openService()];
  if (!withPeers) return own;
  return [...own, ...(await openPuppeteer(binary)), ...openPrograms()];
}
