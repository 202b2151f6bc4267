/**
 * npm run docs -- front-door: records the examples of the dashboard's front door. Sends the three requests to
 * the real service, with a local page and local DNS, and writes the responses and the pictures into
 * dashboard/src/pages/front-door/recorded. Needs permission to listen on port 80.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from '../test/dashboard/open-dashboard.ts';
import { WITH_BROWSER } from '../test/support/start-app.ts';
import { drawPdfPages, drawSvg } from './front-door/draw-pictures.ts';
import { startExampleSite } from './front-door/example-site.ts';
import { recordExamples } from './front-door/record-examples.ts';

/** Enough for a steady median. */
const RUNS = 9;
const FOLDER = join(import.meta.dirname, '../dashboard/src/pages/front-door/recorded');

await using site = await startExampleSite(80);
const settings = {
  ...WITH_BROWSER,
  DNS_SERVERS: `127.0.0.1:${site.dnsPort}`,
  EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
};
const { examples, pdf } = await recordExamples(site.url, settings, RUNS);
const browser = await launchBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  const cover = await readFile(join(import.meta.dirname, 'front-door/cover.svg'), 'utf8');
  await write('cover.webp', await drawSvg(browser, site.origin, cover));
  const pages = await drawPdfPages(browser, site.origin, pdf);
  for (const [index, page] of pages.entries()) await write(`page-${index + 1}.webp`, page);
  await write('examples.json', `${JSON.stringify(examples, null, 2)}\n`);
} finally {
  await browser.close();
}

async function write(name: string, content: string | Uint8Array): Promise<void> {
  await writeFile(join(FOLDER, name), content);
  console.log(`${name}: ${content.length} bytes`);
}
