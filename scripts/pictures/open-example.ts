/** The service of the pictures, with its accounts and requests, and windows that are signed in to it. */
import type { Browser, Page } from 'playwright-core';
import { buildDashboard, openSession, type Visitor } from '../../test/dashboard/open-dashboard.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../../test/support/start-app.ts';
import type { ExampleSite } from '../front-door/example-site.ts';
import { createExampleAccounts, EMAIL } from './example-accounts.ts';
import { createClock, PRESENT_MS } from './example-clock.ts';
import { recordExampleUsage } from './example-usage.ts';

/** Starts the service at the time of the pictures. */
export async function startExample(site: ExampleSite): Promise<TestApp> {
  await buildDashboard();
  const service = await startApp(
    {
      ...WITH_BROWSER,
      DNS_SERVERS: `127.0.0.1:${site.dnsPort}`,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    },
    { now: createClock() },
  );
  await recordExampleUsage(service.app.storage.usage, await createExampleAccounts(service));
  return service;
}

export interface Look {
  scheme: 'light' | 'dark';
  width: number;
  height: number;
  /** Device pixels per CSS pixel. */
  scale: number;
}

/** Opens a window whose clock stands at the time of the pictures, signed in or not. */
export async function openWindow(
  browser: Browser,
  service: TestApp,
  { scheme, width, height, scale }: Look,
  isSignedIn: boolean,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(20_000);
  if (isSignedIn) await openSession({ context, origin: service.url } as Visitor, EMAIL);
  const page = await context.newPage();
  await page.clock.setFixedTime(PRESENT_MS);
  return page;
}

/** Waits until no placeholder is left, the fonts are loaded and nothing moves. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1, .reference-bar').first().waitFor();
  await page
    .locator('.mantine-Skeleton-root, .mantine-Loader-root, #reference:empty')
    .first()
    .waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.evaluate(
    'Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))).then(() => true)',
  );
}
