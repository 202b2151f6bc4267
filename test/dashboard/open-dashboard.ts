/** The whole service with its built dashboard, and visitors who use it with a real browser. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../src/browser/launch/find-chromium.ts';
import type { AppOverrides } from '#app';
import { startApp, type TestApp } from '../support/start-app.ts';
import { patientMs } from '../support/patience.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of the screenshots; git ignores it. */
export const ARTIFACTS = join(root, 'artifacts/dashboard');

export interface VisitorOptions {
  scheme?: 'light' | 'dark';
  width?: number;
}

/** A visitor of the dashboard, with a page and cookies of their own. */
export interface Visitor {
  page: Page;
  /** Of the service. */
  origin: string;
  context: BrowserContext;
  /** Errors in the console, exceptions, requests to other hosts: must stay empty. */
  problems: string[];
  goto: (path: string) => Promise<void>;
}

export interface Dashboard extends AsyncDisposable {
  service: TestApp;
  browser: Browser;
  newVisitor: (options?: VisitorOptions) => Promise<Visitor>;
  /** The emails that the service wrote to its log instead of sending them. */
  emails: readonly string[];
  /** Ends every visit: open pages keep calling the service. Later visitors reuse the cleared pages. */
  closeVisitors: () => Promise<void>;
}

/** Builds the dashboard if its sources have changed. Returns whether it did. */
export async function buildDashboard(): Promise<{ built: boolean }> {
  const { setUpDashboard } = (await import(join(root, 'scripts/setup/dashboard.mjs'))) as {
    setUpDashboard: (options: { log: (line: string) => void }) => Promise<{ built: boolean }>;
  };
  return setUpDashboard({ log: () => {} });
}

/** The port that dashboards of this process have one after the other, and whether one has it now. */
const shared = { port: '0', inUse: false };

let isBrowserShared = false;
let sharedBrowser: Promise<Browser> | null = null;

/** Makes all dashboards of this process use one browser. Returns a function that closes it. */
export function shareBrowser(): () => Promise<void> {
  isBrowserShared = true;
  return async () => {
    await (await sharedBrowser)?.close();
  };
}

/** Builds the dashboard if necessary and starts the service. Starts a browser unless `given` or shared. */
export async function openDashboard(
  settings: Record<string, string> = {},
  given?: Browser,
): Promise<Dashboard> {
  await buildDashboard();
  await mkdir(ARTIFACTS, { recursive: true });
  const emails: string[] = [];
  const logger = createLogger(emails);
  if (isBrowserShared) sharedBrowser ??= launchBrowser();
  const openBrowser = given ?? sharedBrowser;
  const [service, browser] = await Promise.all([
    startOnPort(settings, logger),
    openBrowser ?? launchBrowser(),
  ]);
  const visits = createVisits(browser, service.url);
  return {
    service,
    browser,
    emails,
    newVisitor: visits.start,
    closeVisitors: visits.endAll,
    [Symbol.asyncDispose]: async () => {
      await (openBrowser ? visits.endAll() : browser.close());
      await service[Symbol.asyncDispose]();
      if (String(service.port) === shared.port) shared.inUse = false;
    },
  };
}

/**
 * Starts the service on the port of the dashboard before, if that is closed: the pages of visitors have
 * loaded and compiled the scripts of this origin already.
 */
async function startOnPort(
  settings: Record<string, string>,
  logger: NonNullable<AppOverrides['logger']>,
): Promise<TestApp> {
  if (shared.inUse || settings['PORT'] !== undefined) return startApp(settings, { logger });
  shared.inUse = true;
  const service = await startApp({ ...settings, PORT: shared.port }, { logger }).catch(() =>
    startApp(settings, { logger }),
  );
  shared.port = String(service.port);
  return service;
}

/** Creates a log that keeps only the emails. */
function createLogger(emails: string[]): NonNullable<AppOverrides['logger']> {
  const drop = () => {};
  const warn = (...words: unknown[]) => {
    const mail = words.find((word) => typeof word === 'string' && word.startsWith('mail to '));
    if (typeof mail === 'string') emails.push(mail);
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
  return { ...logger, child: () => createLogger(emails) };
}

/** Starts the Chromium of the tests. */
export async function launchBrowser(): Promise<Browser> {
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

/** Visitors that have ended, by their browser: what they look like, and their origin. */
const idleVisitors = new WeakMap<Browser, Map<Visitor, string>>();

/**
 * Visitors that reuse each other's pages, also those of a dashboard before on the same port. A new page costs
 * a process and loads and compiles every script again, about twice the time of a visit with a page that was
 * used before. Cookies, storage, routes and other tabs are removed.
 */
function createVisits(browser: Browser, baseURL: string) {
  const active = new Map<Visitor, string>();
  const idle = idleVisitors.get(browser) ?? new Map<Visitor, string>();
  idleVisitors.set(browser, idle);
  const start = async (options: VisitorOptions = {}) => {
    const look = `${options.scheme ?? 'light'} ${options.width ?? 1280} ${baseURL}`;
    const known = [...idle].find(([, itsLook]) => itsLook === look)?.[0];
    if (known) idle.delete(known);
    const visitor = known ?? (await openVisitor(browser, baseURL, options));
    active.set(visitor, look);
    return visitor;
  };
  const endAll = async () => {
    const ending = [...active];
    active.clear();
    await Promise.all(
      ending.map(async ([visitor, look]) => {
        if (visitor.page.isClosed()) return;
        await clearVisitor(visitor);
        idle.set(visitor, look);
      }),
    );
  };
  return { start, endAll };
}

async function clearVisitor({ page, context, origin, problems }: Visitor): Promise<void> {
  const otherTabs = context.pages().filter((tab) => tab !== page);
  await Promise.all(otherTabs.map((tab) => tab.close()));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (page.url().startsWith(origin)) await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.setOffline(false);
  // Of the same site: after about:blank the next page would get a new process.
  await page.goto('/healthz');
  await context.clearCookies();
  problems.length = 0;
}

async function openVisitor(
  browser: Browser,
  baseURL: string,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const width = options.width ?? 1280;
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height: width > 800 ? 860 : 760 },
    colorScheme: options.scheme ?? 'light',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(patientMs(20_000));
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

/** A password that the service accepts. */
export const PASSWORD = 'copper lantern sings';

let people = 0;

/** Returns an address that has no account yet. */
export function newEmail(): string {
  people += 1;
  return `person${people}@example.com`;
}

/** Creates an account without a page. Returns its address. */
export async function createAccount({ service }: Dashboard): Promise<string> {
  const email = newEmail();
  const response = await service.call('/account/sign-up', null, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`sign-up responded with ${response.status}`);
  return email;
}

/** Signs the visitor in to an account, a new one by default, without a page. Returns the address. */
export async function openSession({ context, origin }: Visitor, known?: string): Promise<string> {
  const email = known ?? newEmail();
  const request = { data: { email, password: PASSWORD }, headers: { origin } };
  if (known === undefined) {
    const signedUp = await context.request.post('/account/sign-up', request);
    if (!signedUp.ok()) throw new Error(`sign-up responded with ${signedUp.status()}`);
  }
  const signedIn = await context.request.post('/account/sign-in', request);
  if (!signedIn.ok()) throw new Error(`sign-in responded with ${signedIn.status()}`);
  return email;
}

/** Signs the visitor in to a new account and opens a page. Returns the address. */
export async function enter(visitor: Visitor, path = '/'): Promise<string> {
  const email = await openSession(visitor);
  await visitor.goto(path);
  return email;
}

/** Creates a key of the visitor's account without a page. */
export async function createKey(
  { context, origin }: Visitor,
  name = 'Server',
): Promise<{ secret: string; id: string }> {
  const response = await context.request.post('/account/keys', { data: { name }, headers: { origin } });
  const { key, secret } = (await response.json()) as { key: { id: string }; secret: string };
  return { secret, id: key.id };
}

/** Signs in with the sign-in page. */
export async function signIn({ page, goto }: Visitor, email: string, password = PASSWORD): Promise<void> {
  await goto('/sign-in');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `Account ${email}` }).waitFor();
}
