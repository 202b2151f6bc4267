/** The service of the pictures, with its accounts and requests, and windows that are signed in to it. */
import type { Browser, Page } from 'playwright-core';
import { buildDashboard } from '../../test/dashboard/open-dashboard.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../../test/support/start-app.ts';
import type { ExampleSite } from '../front-door/example-site.ts';
import { createExampleAccounts, EMAIL } from './example-accounts.ts';
import { MINUTE_MS, PRESENT_MS, setTime } from './example-clock.ts';
import { signIn, USER_AGENT } from './example-session.ts';
import { recordExampleUsage } from './example-usage.ts';

/** The service and what its windows need. */
export interface Example extends AsyncDisposable {
  service: TestApp;
  site: ExampleSite;
  /** The cookies of a session. */
  cookie: string;
}

/** Starts the service at the time of the pictures. */
export async function startExample(site: ExampleSite): Promise<Example> {
  await buildDashboard();
  const service = await startApp({
    ...WITH_BROWSER,
    // Pages show it.
    PORT: process.env['PORT'] ?? '3000',
    DNS_SERVERS: `127.0.0.1:${site.dnsPort}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    MONTHLY_QUOTAS: 'free=2000,pro=50000,business=500000',
  });
  const keys = await createExampleAccounts(service);
  await recordExampleUsage(service.app.storage.usage, keys);
  setTime(PRESENT_MS - 3 * MINUTE_MS);
  const cookie = await signIn(service, EMAIL);
  setTime(PRESENT_MS);
  await useLimit(service, keys[0]?.secret ?? null);
  return {
    service,
    site,
    cookie,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** Uses a part of the limit of this minute, with a batch. */
async function useLimit(service: TestApp, key: string | null): Promise<void> {
  const emails = Array.from({ length: 214 }, (_, index) => `reader${index}@example.com`);
  const response = await service.call('/v1/email/validate/batch', key, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ emails, check_mx: false }),
  });
  if (!response.ok) throw new Error(`the batch: ${response.status}`);
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
  { service, cookie }: Example,
  { scheme, width, height, scale }: Look,
  isSignedIn: boolean,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    userAgent: USER_AGENT,
  });
  context.setDefaultTimeout(20_000);
  const cookies = cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: service.url };
  });
  if (isSignedIn) await context.addCookies(cookies);
  const page = await context.newPage();
  setTime(PRESENT_MS);
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
