/**
 * npm run docs -- pictures: draws the pictures of README and docs with the real service, on fixed data and a
 * fixed clock, into docs/pictures. `-- cookbook`, `-- dashboard` and `-- cards` draw only these; `-- sizes`
 * draws every page of the dashboard at 380 to 1,920 pixels into artifacts. Needs permission to listen
 * on port 80, and port 3000 (or `PORT`).
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { launchBrowser } from '../test/dashboard/open-dashboard.ts';
import { startExampleSite } from './front-door/example-site.ts';
import { drawCards } from './pictures/draw-cards.ts';
import { drawCookbook } from './pictures/draw-cookbook.ts';
import { drawDashboard, drawSizes } from './pictures/draw-dashboard.ts';
import { startExample } from './pictures/open-example.ts';

const FOLDER = join(import.meta.dirname, '../docs/pictures');

const parts = process.argv.slice(2);
const isAsked = (part: string) => (parts.length === 0 && part !== 'sizes') || parts.includes(part);

await using site = await startExampleSite(80);
await using example = await startExample(site);
const browser = await launchBrowser();
try {
  if (isAsked('dashboard')) await drawDashboard(browser, example, write);
  if (isAsked('sizes')) await drawSizes(browser, example);
  // These create accounts, which the page of administrators would show.
  if (isAsked('cookbook')) await drawCookbook(browser, site.origin, example.service, write);
  if (isAsked('cards')) await drawCards(browser, example, write);
} finally {
  await browser.close();
}

async function write(name: string, content: Uint8Array): Promise<void> {
  const path = join(FOLDER, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  console.log(`${name}: ${content.length} bytes`);
}
