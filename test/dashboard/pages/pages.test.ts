/**
 * Checks every page in both themes, wide and narrow: axe, the console, horizontal scrolling. TEST_FULL=1 runs
 * axe on all combinations and takes screenshots.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { isFullRun, sampleTests } from '../../support/sample.ts';
import { findViolations } from '../find-violations.ts';
import { ARTIFACTS, type Dashboard, openDashboard, PASSWORD, type Visitor } from '../open-dashboard.ts';

const SIGNED_OUT = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password?token=x',
  '/verify-email?token=x',
  '/setup',
  '/reference',
  '/reference/getting-started',
  '/reference/errors',
];
const SIGNED_IN = [
  '/',
  '/keys',
  '/try',
  '/try/metadata',
  '/try/pdf',
  '/usage',
  '/requests',
  '/plan',
  '/settings',
  '/audit',
  '/admin',
];
/**
 * Menus, dialogs and tabs: a name, the page, and how to open it. Unless TEST_FULL=1, a third of each page.
 */
const OPENED: [name: string, path: string, open: (page: Page) => Promise<void>][] = [
  [
    'key-menu',
    '/keys',
    (page) =>
      page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click(),
  ],
  ['create-key', '/keys', openCreateKey],
  ['rotate-key', '/keys', openRotateKey],
  ['choices', '/requests', (page) => page.getByRole('button', { name: 'Operation' }).click()],
  ['request', '/requests', openRequest],
  ['account-menu', '/plan', openAccountMenu],
  ['delete-account', '/settings', (page) => page.getByRole('button', { name: 'Delete account' }).click()],
  ['try-response', '/try/email', sendAndWait],
  ['try-code', '/try/email', openCode],
  ['pdf-options', '/try/pdf', openPdfOptions],
  ['overview-open', '/', openOverview],
  ['try-list', '/try/email', checkList],
  [
    'usage-status',
    '/usage?range=7d&by=status',
    (page) => page.getByRole('button', { name: 'Show the numbers' }).click(),
  ],
  ['usage-key', '/usage?by=key', (page) => page.getByRole('slider').first().press('End')],
  ['usage-days', '/usage', (page) => page.getByRole('button', { name: /^Period/ }).click()],
  ['admin-plans', '/admin', (page) => page.getByRole('tab', { name: 'Plans' }).click()],
  ['admin-invite', '/admin', invite],
  [
    'admin-invitations',
    '/admin?tab=invitations',
    (page) => page.getByText('No invitations').or(page.getByText('Pending')).first().waitFor(),
  ],
  [
    'admin-usage',
    '/admin?tab=usage',
    (page) => page.getByRole('table', { name: 'Requests by operation' }).waitFor(),
  ],
  ['admin-health', '/admin?tab=health', (page) => page.getByRole('table', { name: 'Shares' }).waitFor()],
  ['admin-request', '/admin?request=none', (page) => page.getByText('No request with this ID.').waitFor()],
  ['admin-account', '/admin', openAdminAccount],
  ['enroll', '/settings', openEnrollment],
  ['admin-lists', '/admin', openLists],
];
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const EVERY_LOOK = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 380 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 380 },
] as const;
const LOOKS = isFullRun ? EVERY_LOOK : EVERY_LOOK.slice(0, 2);

let dashboard: Dashboard;

before(async () => {
  dashboard = await openDashboard();
  await fillAccount(dashboard);
});

after(() => dashboard?.[Symbol.asyncDispose]());

/** Of both looks together: each has other pages of the sample. */
const pageTest = sampleTests(12);

for (const { scheme, width } of LOOKS) {
  describe(`in the ${scheme} theme, ${width} px wide`, () => {
    let visitor: Visitor;
    before(async () => {
      visitor = await dashboard.newVisitor({ scheme, width });
    });
    after(() => dashboard.closeVisitors());
    const look = `${scheme}-${width}`;

    for (const path of SIGNED_OUT) {
      pageTest(`${path} of a visitor passes all checks`, async () => {
        await visitor.goto(path);
        await inspect(visitor, `${path === '/' ? 'front-door' : nameOf(path)}-${look}`);
      });
    }
    it('an unknown path passes all checks', async () => {
      await visitor.goto('/no-such-page');
      // The browser's own message about the status.
      assert.match(visitor.problems.splice(0).join('\n'), /^[^\n]*404 \(Not Found\)$/);
      await inspect(visitor, `not-found-${look}`);
    });
    it('signs in', () => signInByRequest(visitor));
    for (const path of SIGNED_IN) {
      pageTest(`${path} passes all checks`, async () => {
        await visitor.goto(path);
        await inspect(visitor, `${nameOf(path)}-${look}`);
        if (width > 800) await assertFitsTablet(visitor.page);
      });
    }
    for (const [name, path, open] of OPENED) {
      pageTest(`${name} passes all checks`, async () => {
        await visitor.goto(path);
        await open(visitor.page);
        await inspect(visitor, `${name}-${look}`);
      });
    }
    if (width < 800) {
      it('no field of a PDF option is so small that a phone zooms into it', async () => {
        await visitor.goto('/try/pdf');
        await openPdfOptions(visitor.page);
        const sizes = await visitor.page
          .getByRole('dialog')
          .locator('input:is([type=text], [type=password]), textarea')
          .evaluateAll((fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize)));
        assert.ok(sizes.length > 20 && sizes.every((size) => size >= 16), String(sizes));
      });
      it('the menu passes all checks', async () => {
        await visitor.goto('/keys');
        await visitor.page.getByRole('button', { name: 'Open the menu' }).click();
        await inspect(visitor, `menu-${look}`);
      });
      it('no copy button covers the code that it copies', async () => {
        await visitor.goto('/');
        await visitor.page.getByRole('button', { name: 'Show the code' }).click();
        await visitor.page.locator('pre').first().waitFor();
        const gaps = await visitor.page.evaluate<number[]>(
          `[...document.querySelectorAll('pre')].map((code) => {
            const text = code.getBoundingClientRect();
            const button = code.parentElement.querySelector('button[aria-label^="Copy"]').getBoundingClientRect();
            return Math.max(button.left - text.right, text.top - button.bottom);
          })`,
        );
        assert.ok(gaps.length > 0 && gaps.every((gap) => gap >= 0), String(gaps));
      });
    }
  });
}

/** Opens the drawer with all options of a PDF, and the fields that appear with others. */
async function openPdfOptions(page: Page): Promise<void> {
  // On a narrow screen the options are a view of their own.
  await page.getByRole('heading', { name: 'HTML to PDF' }).waitFor();
  const view = page.getByText('Options', { exact: true });
  if (await view.isVisible()) await view.click();
  await page.getByRole('button', { name: /^More options/ }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel("Owner's password").fill('o');
  await drawer.getByRole('checkbox', { name: 'Insert and rotate pages' }).uncheck();
  await drawer.getByRole('button', { name: 'Add a document' }).click();
  await drawer.getByRole('textbox', { name: 'Document 2' }).fill('<p>2');
  await drawer.getByRole('button', { name: 'Add a document' }).click();
  await drawer.getByRole('textbox', { name: 'Document 3' }).fill('<p>3');
  await drawer.getByRole('button', { name: 'Remove document 2' }).click();
  assert.equal(await drawer.getByRole('textbox', { name: 'Document 2' }).inputValue(), '<p>3');
  await drawer.getByRole('switch', { name: 'Fill the HTML with data (Liquid)' }).click();
  await drawer.getByRole('textbox', { name: 'Data' }).fill('{');
  await drawer.getByText('This is not a JSON object.').waitFor();
  await drawer.getByRole('textbox', { name: 'Invoice XML' }).fill('<x/>');
  await drawer.getByRole('combobox', { name: 'Profile' }).waitFor();
  await drawer
    .locator('input[type=file]')
    .setInputFiles(
      ['rows.csv', 'other.csv'].map((name) => ({ name, mimeType: 'text/csv', buffer: Buffer.from('a;b\n') })),
    );
  await drawer.getByText('rows.csv').waitFor();
  await drawer.getByRole('button', { name: 'Remove other.csv' }).click();
  assert.equal(await drawer.getByText('other.csv').count(), 0);
}

/** Fails on axe violations, console messages, requests to other hosts, and pages wider than the screen. */
async function inspect({ page, problems }: Visitor, name: string): Promise<void> {
  await waitUntilSettled(page);
  if (isFullRun)
    await page.screenshot({ path: join(ARTIFACTS, `${name}.png`), fullPage: !name.startsWith('reference') });
  assert.equal(await measureOverflow(page), 0, 'pixels wider than the screen');
  assert.deepEqual(problems, []);
  assert.deepEqual(await findViolations(page, TAGS), []);
}

/** Fails if the page is wider than a tablet. */
async function assertFitsTablet(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 768, height: 1024 });
  await waitUntilSettled(page);
  assert.equal(await measureOverflow(page), 0, 'pixels wider than a tablet');
  if (size) await page.setViewportSize(size);
}

/** Returns by how many pixels the page is wider than the screen. */
async function measureOverflow(page: Page): Promise<number> {
  return Math.max(0, await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth'));
}

/** Waits until no placeholder is left, the fonts are loaded and animations have finished. */
async function waitUntilSettled(page: Page): Promise<void> {
  await page
    .locator('.mantine-Skeleton-root, .mantine-Loader-root, #reference:empty')
    .first()
    .waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.evaluate(
    'Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))).then(() => true)',
  );
}

function nameOf(path: string): string {
  return path === '/' ? 'overview' : (path.split('?', 1)[0] ?? '').slice(1);
}

/** Creates an admin with keys of every kind and a few requests. */
async function fillAccount({ service }: Dashboard): Promise<void> {
  const token = await service.app.createSetupLink();
  const cookie = await fetchCookie('/account/setup', {
    token,
    email: 'admin@example.com',
    password: PASSWORD,
  });
  const post = async (path: string, body: unknown, method = 'POST') => {
    const response = await service.call(path, null, {
      method,
      headers: { cookie, 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
    return (response.status === 204 ? null : await response.json()) as {
      key: { id: string };
      secret: string;
    };
  };
  const first = await post('/account/keys', { name: 'Checkout server' });
  await post('/account/keys', {
    name: '<b onclick=alert(1)>Newsletter</b> with a name that is longer than its column is wide',
    operations: ['validateEmail'],
    client_cidrs: ['203.0.113.0/24', '2001:db8::/48'],
  });
  const old = await post('/account/keys', { name: 'Invoices' });
  await post(`/account/keys/${old.key.id}/rotate`, { grace_days: 3 });
  const gone = await post('/account/keys', { name: 'Laptop' });
  await service.call(`/account/keys/${gone.key.id}`, null, {
    method: 'DELETE',
    headers: { cookie, origin: service.url },
  });
  const calls = ['?email=a@example.com&check_mx=false', '', '?email=b@example.com&check_mx=maybe'];
  await Promise.all(calls.map((query) => service.call(`/v1/email/validate${query}`, first.secret)));
  await fetchCookie('/account/sign-up', {
    email: 'someone.with.a.long.address@subdomain.example.org',
    password: PASSWORD,
  });
}

async function fetchCookie(path: string, body: unknown): Promise<string> {
  const { service } = dashboard;
  const response = await service.call(path, null, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

async function signInByRequest({ context }: Visitor): Promise<void> {
  const response = await context.request.post('/account/sign-in', {
    data: { email: 'admin@example.com', password: PASSWORD },
    headers: { origin: dashboard.service.url },
  });
  assert.equal(response.status(), 200);
}

async function openOverview(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show the code' }).click();
  await page.getByRole('tab', { name: 'Python' }).click();
  await page.getByRole('slider').first().press('ArrowLeft');
}

async function openRequest(page: Page): Promise<void> {
  await page.getByRole('row', { name: /invalid_parameter/ }).click();
  await page.getByRole('region', { name: 'Request' }).getByText('What to do').waitFor();
}

async function openAccountMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open the menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('button', { name: /^Account / }).click();
}

async function openCreateKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByText('Only from').waitFor();
}

async function openRotateKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Checkout server' }).click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByRole('dialog').waitFor();
}

async function sendAndWait(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'check_mx' }).click();
  await page.getByRole('button', { name: 'Validate' }).click();
  await page.getByText('200 OK').waitFor();
}

async function openCode(page: Page): Promise<void> {
  await sendAndWait(page);
  await page.getByRole('tab', { name: 'TypeScript' }).click();
}

async function checkList(page: Page): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('email\nno address@example.com\nann@@example.com\n'),
  });
  await page.getByRole('button', { name: 'Check 2 addresses' }).click();
  await page.getByText('Finished').waitFor();
}

async function openLists(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Lists' }).click();
  await page.getByText('Built-in list').waitFor();
}

async function invite(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('/sign-up?invite=').waitFor();
}

async function openAdminAccount(page: Page): Promise<void> {
  await page.getByRole('row').filter({ hasText: 'admin@example.com' }).click();
  await page.getByText('Laptop').waitFor();
}

async function openEnrollment(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByTestId('totp-secret').waitFor();
}
