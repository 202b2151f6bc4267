import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { openPdfEngine, parsePdfRequest } from '../../src/pdf/index.ts';
import { Browser } from '../../src/browser/pages/browser.ts';
import { findChromium, type ChromiumBinary } from '../../src/browser/launch/find-chromium.ts';
import { listJails } from '../../src/browser/launch/jail.ts';
import { launchBrowser } from '../../src/browser/launch/launch-browser.ts';
import type { Page } from '../../src/browser/pages/page.ts';
import { installPeers } from '../install-peers.ts';
import { startApp } from '../../test/support/start-app.ts';
import { createWithSlot } from '../../test/pdf/support/open-engine.ts';

/** One way to turn HTML into a PDF. */
export interface Contender {
  name: string;
  render(html: string): Promise<Uint8Array>;
  close(): Promise<void>;
  /** Documents that it skips, as they would take minutes. */
  skips?: readonly string[];
}

const CALLER = { keyId: 'bench', accountId: 'bench', slots: null };
export const STATIC_LANE = 'our library, static lane';
export const SERVICE = 'the whole service (HTTP)';

const A4 = {
  paperWidth: 8.27,
  paperHeight: 11.69,
  marginTop: 0.79,
  marginBottom: 0.79,
  marginLeft: 0.59,
  marginRight: 0.59,
  printBackground: true,
};

/** Chromium alone: prints a document that is already loaded in a warm page. */
async function openLimit(binary: ChromiumBinary): Promise<Contender> {
  const [jail] = listJails({
    isRoot: process.getuid?.() === 0,
    requireSandbox: false,
    useNetworkNamespace: true,
  });
  if (!jail) throw new Error('no way to start the browser');
  const browser = new Browser(await launchBrowser(binary, jail));
  const idle: { page: Page; html: string }[] = [];
  for (let count = 0; count < availableParallelism(); count += 1)
    idle.push({ page: await browser.createPage(), html: '' });
  const waiting: ((slot: { page: Page; html: string }) => void)[] = [];
  return {
    name: 'the limit: bare printToPDF',
    async render(html) {
      const slot =
        idle.pop() ?? (await new Promise<{ page: Page; html: string }>((resolve) => waiting.push(resolve)));
      if (slot.html !== html) {
        const loaded = new Promise<void>((resolve) => (slot.page.onLoad = resolve));
        await slot.page.send('Page.setDocumentContent', { frameId: slot.page.targetId, html });
        await loaded;
        await slot.page.sendForData('Page.printToPDF', A4);
        slot.html = html;
        startedLate.at = performance.now();
      }
      const pdf = await slot.page.sendForData('Page.printToPDF', A4);
      const next = waiting.shift();
      if (next) next(slot);
      else idle.push(slot);
      return pdf;
    },
    close: () => browser.close(),
  };
}

/** The limit loads a document before it is measured: the measurement starts after that. */
export const startedLate = { at: 0 };

async function openOwn(): Promise<Contender[]> {
  // As for one account by default: while one document waits for the browser, another uses the core.
  const slots = availableParallelism() + 1;
  const engine = await openPdfEngine({
    openResourceFetcher: () => () => Promise.resolve(null),
    now: () => performance.now(),
    log: { info() {}, warn() {}, error: console.error },
    slots,
    withSlot: createWithSlot(slots + 1, Infinity),
    requireSandbox: false,
    rendererMemoryMb: 1_200,
    timeoutMs: 30_000,
  });
  const render = (extra: object) => async (html: string) =>
    (await engine.generatePdf(parsePdfRequest({ html, ...extra }), CALLER)).pdf;
  return [
    { name: STATIC_LANE, render: render({}), close: () => engine.close() },
    { name: 'our library, fresh lane', render: render({ wait_for: 0 }), close: () => Promise.resolve() },
  ];
}

async function openService(): Promise<Contender> {
  const service = await startApp({ PLANS: 'bench=1000000' });
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

/** The client runs in this process and is timed too: fetch() would take longer than the service adds. */
async function post(
  url: string,
  { agent, headers, body }: { agent: Agent; headers: Record<string, string>; body: string },
): Promise<Uint8Array> {
  const sent = request(url, { method: 'POST', agent, headers }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks = (await answer.toArray()) as Buffer[];
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${Buffer.concat(chunks).toString()}`);
  return Buffer.concat(chunks);
}

const PUPPETEER_PDF = {
  format: 'A4',
  margin: { top: '20mm', bottom: '20mm', left: '15mm', right: '15mm' },
  printBackground: true,
} as const;

/* What is used of puppeteer-core, which is installed only for the benchmark. */
interface PuppeteerPage {
  setContent(html: string): Promise<void>;
  pdf(options: object): Promise<Uint8Array>;
  close(): Promise<void>;
}
interface PuppeteerBrowser {
  newPage(): Promise<PuppeteerPage>;
  close(): Promise<void>;
}
interface Puppeteer {
  launch(options: object): Promise<PuppeteerBrowser>;
}

async function loadPuppeteer(): Promise<Puppeteer> {
  installPeers();
  const name: string = 'puppeteer-core';
  return ((await import(name)) as { default: Puppeteer }).default;
}

async function openPuppeteer(binary: ChromiumBinary): Promise<Contender[]> {
  const puppeteer = await loadPuppeteer();
  const options = {
    executablePath: binary.path,
    headless: 'shell',
    args: ['--no-sandbox'],
    env: {
      ...process.env,
      ...(binary.libraryFolder ? { LD_LIBRARY_PATH: binary.libraryFolder } : {}),
      ...(binary.fontconfigFile ? { FONTCONFIG_FILE: binary.fontconfigFile } : {}),
    },
  };
  const print = async (browser: PuppeteerBrowser, html: string): Promise<Uint8Array> => {
    const page = await browser.newPage();
    try {
      await page.setContent(html);
      return await page.pdf(PUPPETEER_PDF);
    } finally {
      await page.close();
    }
  };
  const warm = await puppeteer.launch(options);
  return [
    { name: 'puppeteer, new page', render: (html) => print(warm, html), close: () => warm.close() },
    {
      name: 'puppeteer, launch per request',
      async render(html) {
        const browser = await puppeteer.launch(options);
        try {
          return await print(browser, html);
        } finally {
          await browser.close();
        }
      },
      close: () => Promise.resolve(),
    },
  ];
}

function isInstalled(command: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Opens a program of Debian, which is started for each document. */
function openProgram(
  name: string,
  command: string,
  args: readonly string[],
  skips: readonly string[] = [],
): Contender | null {
  if (!isInstalled(command)) {
    console.log(`(${name} is not installed here: left out)`);
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-pdf-'));
  let count = 0;
  return {
    name,
    skips,
    async render(html) {
      const base = join(folder, String(count++));
      writeFileSync(`${base}.html`, html);
      const child = spawn(command, [...args, `${base}.html`, `${base}.pdf`], {
        stdio: 'ignore',
        env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
      });
      await new Promise((resolve) => child.on('close', resolve));
      return readFileSync(`${base}.pdf`);
    },
    close: () => Promise.resolve(rmSync(folder, { recursive: true })),
  };
}

/**
 * Everything that can be measured on this machine, the limit first; without the peers, only what is ours
 * beside it.
 */
export async function openContenders({ withPeers }: { withPeers: boolean }): Promise<Contender[]> {
  const binary = await findChromium({ chromiumPath: null, cacheDir: null });
  if (!binary) throw new Error('no browser was found: run npm run setup');
  const own = [await openLimit(binary), ...(await openOwn()), await openService()];
  if (!withPeers) return own;
  const programs = [
    openProgram('wkhtmltopdf', 'wkhtmltopdf', ['-q'], ['long']),
    openProgram('WeasyPrint', 'weasyprint', ['-q'], ['report', 'long']),
  ];
  return [...own, ...(await openPuppeteer(binary)), ...programs.filter((one) => one !== null)];
}
