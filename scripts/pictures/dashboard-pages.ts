/** The pages of the dashboard that have a picture, and what is done on each before it is taken. */
import type { Page } from 'playwright-core';
import type { ExampleSite } from '../front-door/example-site.ts';

/** A page of the dashboard. */
export interface DashboardPage {
  name: string;
  path: string;
  isSignedIn: boolean;
  /** Also drawn in the dark theme. */
  isDark?: boolean;
  prepare?: (page: Page, site: ExampleSite) => Promise<void>;
}

export const DASHBOARD_PAGES: readonly DashboardPage[] = [
  { name: 'front-door', path: '/', isSignedIn: false, isDark: true },
  { name: 'sign-in', path: '/sign-in', isSignedIn: false },
  { name: 'reference', path: '/reference', isSignedIn: false },
  { name: 'overview', path: '/', isSignedIn: true, isDark: true },
  { name: 'keys', path: '/keys', isSignedIn: true },
  { name: 'try-email', path: '/try/email', isSignedIn: true, isDark: true, prepare: tryEmail },
  { name: 'try-metadata', path: '/try/metadata', isSignedIn: true, isDark: true, prepare: tryMetadata },
  { name: 'try-pdf', path: '/try/pdf', isSignedIn: true, prepare: tryPdf },
  { name: 'requests', path: '/requests', isSignedIn: true, isDark: true },
  { name: 'request', path: '/requests?error=timeout', isSignedIn: true, prepare: openRequest },
  { name: 'usage', path: '/usage?range=30d', isSignedIn: true },
  { name: 'plan', path: '/plan', isSignedIn: true },
  { name: 'settings', path: '/settings', isSignedIn: true },
  { name: 'audit', path: '/audit', isSignedIn: true },
  { name: 'admin', path: '/admin', isSignedIn: true },
];

async function tryEmail(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Email address' }).fill('marcus.ohl@gmial.com');
  await page.getByRole('button', { name: 'Validate' }).click();
  await page.getByText('200 OK').waitFor();
}

async function tryMetadata(page: Page, { url }: ExampleSite): Promise<void> {
  await page.getByRole('textbox', { name: 'URL' }).fill(url);
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByText('200 OK').waitFor();
}

async function tryPdf(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Render' }).click();
  await page.locator('canvas[data-rendered]').first().waitFor();
}

async function openRequest(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).click();
}
