/** Takes the pictures of the dashboard. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ARTIFACTS } from '../../test/dashboard/open-dashboard.ts';
import { DASHBOARD_PAGES, type DashboardPage } from './dashboard-pages.ts';
import { type Example, type Look, openWindow, settle } from './open-example.ts';
import { encodeWebp } from './picture-file.ts';

/** Draws each page for the documents: at 1,440 pixels, the overview also twice as sharp, for README. */
export async function drawDashboard(
  browser: Browser,
  example: Example,
  write: (name: string, content: Uint8Array) => Promise<void>,
): Promise<void> {
  const blank = await browser.newPage();
  for (const scheme of ['light', 'dark'] as const)
    for (const page of DASHBOARD_PAGES) {
      if (scheme === 'dark' && !page.isDark) continue;
      const suffix = scheme === 'dark' ? '-dark' : '';
      const scale = page.name === 'overview' ? 2 : 1;
      const look: Look = { scheme, width: 1440, height: 900, scale };
      const png = await takePicture(browser, example, page, look);
      await write(`dashboard/${page.name}${suffix}.webp`, await encodeWebp(blank, png));
    }
  await blank.close();
}

/** Draws each page at the widths that are looked at beside the mock-ups, whole, into artifacts. */
export async function drawSizes(browser: Browser, example: Example): Promise<void> {
  await mkdir(ARTIFACTS, { recursive: true });
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [380, 1024, 1440, 1920])
      for (const page of DASHBOARD_PAGES) {
        const look: Look = { scheme, width, height: width > 800 ? 900 : 800, scale: 1 };
        const path = join(ARTIFACTS, `${page.name}-${scheme}-${width}.png`);
        await takePicture(browser, example, page, look, path);
      }
}

/** Takes a picture of the window, or of the whole page if it is for `path`. */
async function takePicture(
  browser: Browser,
  example: Example,
  { path: address, isSignedIn, prepare }: DashboardPage,
  look: Look,
  path?: string,
): Promise<Buffer> {
  const page = await openWindow(browser, example, look, isSignedIn);
  try {
    await page.goto(address);
    await settle(page);
    await prepare?.(page, example.site);
    await settle(page);
    return await page.screenshot({ ...(path && { path, fullPage: true }) });
  } finally {
    await page.context().close();
  }
}
