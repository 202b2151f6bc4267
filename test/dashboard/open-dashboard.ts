/** The whole service with its built dashboard, and people who look at it with a real browser. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../src/browser/launch/find-chromium.ts';
import type { AppOverrides } from '#app';
import { startApp, type TestApp } from '../support/start-app.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the pictures of the pages go; git ignores it. */
export const ARTIFACTS = join(root, 'artifacts/dashboard');

export interface VisitorOptions {
  scheme?: 'light' | 'dark';
  width?: number;
}

/** Somebody at the dashboard. */
export interface Visitor {
  page: Page;
  /** Of the service. */
  origin: string;
  context: BrowserContext;
  /** What no page may do: errors in the console, exceptions, requests to other hosts. */
  problems: string[];
  goto: (path: string) => Promise<void>;
}

export interface Dashboard extends AsyncDisposable {
  service: TestApp;
  browser: Browser;
  newVisitor: (options?: VisitorOptions) => Promise<Visitor>;
  /** What the service would have sent by mail, as its log tells it. */
  mails: readonly string[];
  /** Sends every visitor home: pages that stay open go on asking the service. */
  closeVisitors: () => Promise<void>;
}

/** Builds the dashboard where its sources changed; answers whether it had to. */
export async function buildDashboard(): Promise<{ built: boolean }> {
  const { setUpDashboard } = (await import(join(root, 'scripts/setup/dashboard.mjs'))) as {
    setUpDashboard: (options: { log: (line: string) => void }) => Promise<{ built: boolean }>;
  };
  return setUpDashboard({ log: () => {} });
}

/** Builds the dashboard where it is not built, starts the service and a browser. */
export async function openDashboard(settings: Record<string, string> = {}): Promise<Dashboard> {
  await buildDashboard();
  await mkdir(ARTIFACTS, { recursive: true });
  const mails: string[] = [];
  const logger = createLogger(mails);
  const [service, browser] = await Promise.all([startApp(settings, { logger }), launchBrowser()]);
  return {
    service,
    browser,
    mails,
    newVisitor: (options) => newVisitor(browser, service.url, options),
    closeVisitors: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** A log that keeps the mails and nothing else. */
function createLogger(mails: string[]): NonNullable<AppOverrides['logger']> {
  const drop = () => {};
  const warn = (...words: unknown[]) => {
    const mail = words.find((word) => typeof word === 'string' && word.startsWith('mail to '));
    if (typeof mail === 'string') mails.push(mail);
  };
  const logger = {
    level: 'warn',
    fatal: drop,
    error: drop,
    warn,
    info: drop,
    debug: drop,
    trace: drop,
    silent: drop,
  };
  return { ...logger, child: () => createLogger(mails) };
}

async function launchBrowser(): Promise<Browser> {
  const binary = await findChromium({
    chromiumPath: process.env.CHROMIUM_PATH ?? null,
    cacheDir: process.env.CHROMIUM_CACHE ?? null,
  });
  if (!binary) throw new Error('There is no Chromium for the tests: run "npm run setup".');
  const fonts = join(dirname(binary.path), 'fonts.conf');
  return chromium.launch({
    executablePath: binary.path,
    // The pages are our own and the tests may run as root, where Chromium's sandbox does not start.
    args: ['--no-sandbox', '--disable-gpu'],
    env: {
      ...process.env,
      ...(binary.libraryFolder && { LD_LIBRARY_PATH: binary.libraryFolder }),
      ...(binary.fontconfigFile ? { FONTCONFIG_FILE: binary.fontconfigFile } : existsSync(fonts) && {}),
    },
  });
}

async function newVisitor(browser: Browser, baseURL: string, options: VisitorOptions = {}): Promise<Visitor> {
  const width = options.width ?? 1280;
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height: width > 800 ? 860 : 760 },
    colorScheme: options.scheme ?? 'light',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${baseURL}/`) && !/^(?:blob|data):/.test(url)) problems.push(`a request to ${url}`);
  });
  const goto = async (path: string) => {
    await page.goto(path);
    await page.locator('h1, .reference-bar').first().waitFor();
  };
  return { page, origin: baseURL, context, problems, goto };
}

/** A password that the service takes. */
export const PASSWORD = 'copper lantern sings';

let people = 0;

/** An address that has no account yet. */
export function newEmail(): string {
  people += 1;
  return `person${people}@example.com`;
}

/** An account with a session, made without its pages; answers the address. */
export async function enter({ context, goto, origin }: Visitor, path = '/'): Promise<string> {
  const email = newEmail();
  const request = { data: { email, password: PASSWORD }, headers: { origin } };
  const signed = await context.request.post('/account/sign-up', request);
  if (!signed.ok()) throw new Error(`sign-up answered ${signed.status()}`);
  await context.request.post('/account/sign-in', request);
  await goto(path);
  return email;
}

/** Signs in as a person would. */
export async function signIn({ page, goto }: Visitor, email: string, password = PASSWORD): Promise<void> {
  await goto('/sign-in');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `Account ${email}` }).waitFor();
}
