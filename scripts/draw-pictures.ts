/**
 * npm run docs:pictures: draws the pictures of README and docs with the real service, on fixed data and a fixed
 * clock, into docs/pictures. `-- dashboard`, `-- cookbook` and `-- cards` draw only these; `-- sizes` also draws
 * every page of the dashboard at 380 and 1,024 pixels, into artifacts.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { launchBrowser } from '../test/dashboard/open-dashboard.ts';
import { startApp, WITH_BROWSER } from '../test/support/start-app.ts';
import { startExampleSite } from './front-door/example-site.ts';
import { drawCookbook } from './pictures/draw-cookbook.ts';

const FOLDER = join(import.meta.dirname, '../docs/pictures');

const parts = process.argv.slice(2);
const isAsked = (part: string) => parts.length === 0 || parts.includes(part);

await using site = await startExampleSite(0);
await using service = await startApp(WITH_BROWSER);
const browser = await launchBrowser();
try {
  if (isAsked('cookbook')) await drawCookbook(browser, site.origin, service, write);
} finally {
  await browser.close();
}

async function write(name: string, content: Uint8Array): Promise<void> {
  const path = join(FOLDER, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  console.log(`${name}: ${content.length} bytes`);
}
