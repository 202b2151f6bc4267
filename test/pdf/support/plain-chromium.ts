/**
 * Prints documents with Chromium as it is, to compare the engine with: a window of its own, real time, and
 * Page.printToPDF once the document has loaded and rests. Resources come from a function; it has no network.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type BrowserContext, type Page, type Route } from 'playwright-core';
import { findChromium } from '#browser';
import { patientMs } from '../../support/patience.ts';

/** A file of a site. */
export interface SiteFile {
  type: string;
  body: Buffer;
}

/** Returns the file at a URL; null if there is none. */
export type FindFile = (url: string) => Promise<SiteFile | null>;

/** Chromium with one window. */
export interface PlainChromium extends AsyncDisposable {
  /** Loads a page and prints it on A4 with the default margins of the service. */
  print(url: string): Promise<Uint8Array>;
}

/** The flags of the service that change what is drawn. */
const FLAGS = [
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--disable-3d-apis',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--lang=en-US',
  '--disable-features=PaintHolding,LazyFrameLoading',
  '--blink-settings=lazyLoadEnabled=false,allowRunningOfInsecureContent=true',
];
const NO_NETWORK = ['--host-resolver-rules=MAP * ~NOTFOUND', '--proxy-server=http://127.0.0.1:9'];

const MM = 1 / 25.4;
/**
 * The default margins of the service, as it states them: the parameters of Page.printToPDF are truncated to
 * points.
 */
const PAGE_RULE = '<style>@layer{@page{margin:20mm 15mm}}</style>';
const HEAD =
  /<head(?:\s[^>]*)?>|<html(?:\s[^>]*)?>(?![^]*<head[\s>])|<!doctype[^>]*>(?![^]*<(?:html|head)[\s>])/i;
const PRINT = {
  paperWidth: 210 * MM,
  paperHeight: 297 * MM,
  printBackground: true,
  preferCSSPageSize: true,
  generateTaggedPDF: false,
} as const;

const LOAD_MS = patientMs(30_000);
/** Longer than the animations of most documents. */
const REST_MS = 1_500;

/** Starts Chromium, whose pages get their resources from `findFile`. */
export async function openPlainChromium(findFile: FindFile): Promise<PlainChromium> {
  const binary = await findChromium({ chromiumPath: process.env['CHROMIUM_PATH'] ?? null, cacheDir: null });
  if (!binary) throw new Error('no browser was found: run npm run setup');
  const browser = await chromium.launch({
    executablePath: binary.path,
    // The tests may run as root, where Chromium's sandbox does not start.
    args: ['--no-sandbox', ...FLAGS, ...NO_NETWORK],
    env: {
      ...process.env,
      ...(binary.libraryFolder !== null && { LD_LIBRARY_PATH: binary.libraryFolder }),
      ...(binary.fontconfigFile !== null && { FONTCONFIG_FILE: binary.fontconfigFile }),
    },
  });
  return {
    async print(url) {
      const context = await browser.newContext({ viewport: null });
      try {
        return await printPage(context, url, findFile);
      } finally {
        await context.close();
      }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function printPage(context: BrowserContext, url: string, findFile: FindFile): Promise<Uint8Array> {
  await context.route('**/*', async (route) => supply(route, await findPrinted(url, route, findFile)));
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss());
  await page.goto(url, { waitUntil: 'load', timeout: LOAD_MS });
  await rest(page);
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.printToPDF', PRINT);
  return Buffer.from(data, 'base64');
}

/** Waits until the page requests nothing more, and then for its animations. */
async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: LOAD_MS }).catch(() => {});
  await sleep(REST_MS);
}

/** Returns the file of a request; the document that is printed has the margins. */
async function findPrinted(printedUrl: string, route: Route, findFile: FindFile): Promise<SiteFile | null> {
  const url = route.request().url();
  const file = await findFile(url);
  if (file === null || url !== printedUrl) return file;
  return { ...file, body: Buffer.from(file.body.toString().replace(HEAD, (tag) => tag + PAGE_RULE)) };
}

async function supply(route: Route, file: SiteFile | null): Promise<void> {
  const { type: contentType = '', body = '' } = file ?? {};
  const answered = file === null ? route.abort() : route.fulfill({ status: 200, contentType, body });
  // The page may be closed meanwhile.
  await answered.catch(() => {});
}
