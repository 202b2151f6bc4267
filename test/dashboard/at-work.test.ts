/** The work of each page, on the real service. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe } from 'node:test';
import {
  createKey,
  type Dashboard,
  enter,
  newEmail,
  openDashboard,
  openSession,
  PASSWORD,
  signIn,
  type Visitor,
} from './open-dashboard.ts';
import { sampleTests } from '../support/sample.ts';
import { waitForUsage } from './wait-for-records.ts';
import { patientMs } from '../support/patience.ts';

const it = sampleTests(6);

let dashboard: Dashboard;

before(async () => {
  dashboard = await openDashboard({ PLANS: 'free=4/2,pro=600', PDF_SLOTS: '4' });
});

afterEach(() => dashboard.closeVisitors());
after(() => dashboard?.[Symbol.asyncDispose]());

const call = (secret: string, path = '/v1/email/validate?email=a@example.com&check_mx=false') =>
  dashboard.service.call(path, secret);

async function openKeyMenu({ page }: Visitor, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('a key', () => {
  it('can be renamed and restricted to operations', async () => {
    const visitor = await dashboard.newVisitor();
    await openSession(visitor);
    const { secret } = await createKey(visitor);
    await visitor.goto('/keys');
    const { page } = visitor;
    await openKeyMenu(visitor, 'Server', 'Rename');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Invoices');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Invoices').waitFor();
    await openKeyMenu(visitor, 'Invoices', 'Restrict');
    await page.getByRole('checkbox', { name: 'Metadata' }).uncheck();
    await page.getByRole('checkbox', { name: 'Email' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Keys' }).getByText('PDF').waitFor();
    assert.equal((await call(secret)).status, 401);

    await visitor.goto('/try');
    await page.getByRole('button', { name: 'Validate' }).click();
    await page.getByText('401 Unauthorized').waitFor();
    await page.getByText('not allowed to call this operation').waitFor();
  });

  it('over its limit shows 429 with the time to wait', async () => {
    const visitor = await dashboard.newVisitor();
    await openSession(visitor);
    await createKey(visitor);
    await visitor.goto('/try');
    const { page } = visitor;
    await page.getByRole('switch', { name: 'check_mx' }).click();
    for (let sent = 0; sent < 12; sent += 1) {
      const responded = page.waitForResponse('**/account/try/validateEmail?*');
      await page.getByRole('button', { name: 'Validate' }).click();
      if ((await responded).status() === 429) break;
    }
    await page.getByText('429 Too Many Requests').waitFor();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByText('retry-after').first().waitFor();
  });

  it('cannot be created when twenty are in use', async () => {
    const visitor = await dashboard.newVisitor();
    await openSession(visitor);
    for (let made = 0; made < 20; made += 1) await createKey(visitor, `Key ${made}`);
    await visitor.goto('/keys');
    await visitor.page.getByText('20 of 20 keys in use').waitFor();
    assert.ok(await visitor.page.getByRole('button', { name: 'Create key' }).isDisabled());
  });
});

describe('the request log', () => {
  it('shows new calls while it is live, and applies its filters', async () => {
    const visitor = await dashboard.newVisitor();
    await openSession(visitor);
    const { secret } = await createKey(visitor);
    await visitor.goto('/requests');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Live' }).press('Space');
    await page.getByText('Waiting for requests').waitFor();
    await call(secret);
    const table = page.getByRole('table', { name: 'Requests' });
    await table.getByRole('cell', { name: '200', exact: true }).waitFor();
    await call(secret, '/v1/email/validate');
    await table.getByRole('cell', { name: '400', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('menuitemcheckbox', { name: '4xx' }).click();
    await table.getByRole('cell', { name: '200', exact: true }).waitFor({ state: 'detached' });
    await table.getByRole('cell', { name: '400', exact: true }).waitFor();
    assert.match(page.url(), /status=4xx/);
    assert.deepEqual(visitor.problems, []);
  });
});

describe('the usage', () => {
  it('is grouped by operation, status or key, and so is its CSV', async () => {
    const visitor = await dashboard.newVisitor();
    await openSession(visitor);
    const { page } = visitor;
    const shop = await createKey(visitor, '=1+1 "Shop" EU');
    const blog = await createKey(visitor, 'Blog');
    await call(shop.secret);
    await call(shop.secret, '/v1/nothing');
    await call(blog.secret, '/v1/email/validate');
    const getTableText = async (name: string) => {
      const table = page.getByRole('table', { name: `Requests by ${name} and status` });
      return (await table.innerText()).replaceAll(/\s+/g, ' ');
    };
    await waitForUsage(visitor, ({ requests }) => requests === 3);
    await visitor.goto('/usage');
    await page.getByText('3 requests, 2 of them errors').waitFor();
    assert.match(await getTableText('operation'), /Email 1 1 0 2 .* None 0 1 0 1$/);
    const colors = page.getByRole('list', { name: 'Colors' });
    assert.match(await colors.innerText(), /Email\s+2\s+Metadata\s+0\s+PDF\s+0\s+None\s+1/);
    await page.getByText('By status', { exact: true }).click();
    await colors.getByText('Rejected (4xx)').waitFor();
    await page.getByText('By key', { exact: true }).click();
    await colors.getByText('Blog').waitFor();
    assert.match(await getTableText('key'), /=1\+1 "Shop" EU \(….{4}\) 1 1 0 2 Blog \(….{4}\) 0 1 0 1$/);
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const csv = await readFile(await (await waiting).path(), 'utf8');
    assert.ok(csv.includes(`,${shop.id},"'=1+1 ""Shop"" EU",2xx,1\r\n`), csv);
    assert.ok(csv.includes(`,${blog.id},Blog,4xx,1\r\n`), csv);
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Blog/ }).click();
    await colors.getByText('=1+1').waitFor({ state: 'detached' });
    assert.match(await getTableText('key'), /^Key .* Blog \(….{4}\) 0 1 0 1$/);
    assert.match(page.url(), /by=key&key=key_/);
    await seeUsageReports(visitor);
    assert.deepEqual(visitor.problems, []);
  });
});

/** Sees the errors, response times, months and other days of the usage with one rejected request. */
async function seeUsageReports({ page }: Visitor): Promise<void> {
  const errors = page.getByRole('table', { name: 'Errors by identifier and operation' });
  await errors.getByRole('link', { name: 'invalid_email' }).waitFor();
  const times = page.getByRole('table', { name: 'Response times by operation' });
  assert.match(await times.innerText(), /Email\s+\d+ ms\s+\d+ ms\s+\d+ ms/);
  const months = page.getByRole('table', { name: 'Requests by month' });
  assert.match(await months.innerText(), /, so far\s+2\s+0\s+0\s+3\s+66\.7%/);

  const chart = page.getByRole('slider', { name: /^Requests per day/ });
  await chart.press('ArrowLeft');
  assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /: Blog \(….{4}\) 1$/);
  await chart.press('ArrowLeft');
  assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /: Blog \(….{4}\) 0$/);
  await page.getByRole('button', { name: 'Show the numbers' }).click();
  const numbers = page.getByRole('table', { name: 'Requests per day' });
  assert.equal(await numbers.getByRole('row').count(), 31);

  await page.getByRole('button', { name: /^Period/ }).click();
  await page.getByLabel('Last day, UTC').fill('2020-01-01');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('The last day is before the first.').waitFor();
  const days = [10, 9].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
  await page.getByLabel('First day').fill(days[0] ?? '');
  await page.getByLabel('Last day, UTC').fill(days[1] ?? '');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('No requests in this period').waitFor();
  assert.match(page.url(), new RegExp(`from=${days[0]}&to=${days[1]}`));
}

describe('an unknown path', () => {
  it('shows "Page not found" with a link to the overview', async () => {
    const visitor = await dashboard.newVisitor();
    await openSession(visitor);
    const { page } = visitor;
    const response = await page.goto('/kyes');
    assert.equal(response?.status(), 404);
    await page.getByRole('heading', { name: 'There is no page at /kyes' }).waitFor();
    assert.equal(await page.title(), 'Page not found · Utility API');
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    assert.deepEqual(
      visitor.problems.filter((problem) => !problem.includes('404 (Not Found)')),
      [],
    );
  });
});

describe('an unconfirmed address', () => {
  it('can get its link again, and is confirmed by it', async () => {
    const visitor = await dashboard.newVisitor();
    const email = await enter(visitor, '/settings');
    const { page } = visitor;
    await page.getByText('Unverified').waitFor();
    await page.getByText('This service sends no email').waitFor();
    const links = () =>
      dashboard.emails.filter((mail) => mail.includes(email) && mail.includes('/verify-email'));
    const before = links().length;
    await page.getByRole('button', { name: 'Write a new link to the log' }).click();
    await page.getByText('the link is in the service’s log').waitFor();
    for (const deadline = Date.now() + patientMs(20_000); links().length <= before;) {
      assert.ok(Date.now() < deadline, 'the link is written to the log');
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    const path = /\/verify-email\?token=[\w.-]+/.exec(links().at(-1) ?? '')?.[0] ?? '';
    await visitor.goto(path);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Verified', { exact: true }).waitFor();
  });
});

describe('the theme', () => {
  it('is applied from the first paint of the next visit', async () => {
    const visitor = await dashboard.newVisitor({ scheme: 'light' });
    await enter(visitor, '/settings');
    const { page } = visitor;
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.addInitScript(`document.addEventListener('DOMContentLoaded', () => {
      window.firstScheme = document.documentElement.getAttribute('data-mantine-color-scheme');
    })`);
    await page.reload();
    assert.equal(await page.evaluate('window.firstScheme'), 'dark');
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'light');
  });
});

describe('the plan', () => {
  it('is shown beside all others, with units, and with the headers that say so', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/plan');
    const { page } = visitor;
    const rows = page.getByRole('table', { name: 'Plans' }).getByRole('row');
    await rows.first().waitFor();
    const cells = (await rows.all()).map((row) => row.locator('th, td').allTextContents());
    assert.deepEqual(await Promise.all(cells), [
      ['Limit', 'freeYour plan', 'pro\u00A0'],
      ['Requests per minute, each key', '4', '600'],
      ['Documents and pages rendered at once', '2', '3'],
      ['Other requests at once', '16', '1,789'],
      ['Pages fetched at once', '16', '255'],
      ['Request bodies in flight', '55 MB', '55 MB'],
    ]);
    await page.getByRole('tab', { name: 'Over the limit' }).click();
    await page.getByText('HTTP/1.1 429 Too Many Requests').waitFor();
    await page.getByText('Your plan allows 4 requests').waitFor();
    assert.deepEqual(visitor.problems, []);
  });
});

describe('an administrator', () => {
  it('finds an account, changes its plan, disables and enables it', async () => {
    const { service } = dashboard;
    const token = await service.app.createSetupLink();
    const admin = await dashboard.newVisitor();
    await admin.goto(`/setup?token=${token}`);
    await admin.page.getByLabel('Email', { exact: true }).fill('admin@example.com');
    await admin.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await admin.page.getByRole('button', { name: 'Create administrator' }).click();
    await admin.page.getByRole('heading', { name: 'Welcome' }).waitFor();

    const user = await dashboard.newVisitor();
    const email = await enter(user);
    const { secret } = await createKey(user);
    assert.equal((await call(secret)).headers.get('x-ratelimit-limit'), '4');

    const { page } = admin;
    await page.getByRole('link', { name: 'Admin' }).click();
    await page.getByRole('searchbox', { name: 'Search by email address' }).fill(email);
    await page.getByRole('row').filter({ hasText: email }).click();
    await page.getByRole('combobox', { name: `Plan of ${email}` }).click();
    const changed = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('option', { name: /^pro,/ }).click();
    assert.equal((await changed).status(), 200);
    assert.equal((await call(secret)).headers.get('x-ratelimit-limit'), '600');

    await page.getByRole('tab', { name: 'Plans' }).click();
    const free = page.getByRole('table', { name: 'Plans' }).getByRole('row').filter({ hasText: 'free' });
    assert.deepEqual((await free.getByRole('cell').allTextContents()).slice(0, 4), [
      'free',
      '4',
      'No limit',
      '2',
    ]);
    await page.getByRole('tab', { name: 'Accounts' }).click();
    await page.getByRole('searchbox', { name: 'Search by email address' }).fill(email);
    await page.getByRole('row').filter({ hasText: email }).click();

    await page.getByRole('button', { name: 'Disable account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable account' }).click();
    await page.getByRole('button', { name: 'Enable account' }).waitFor();
    assert.equal((await call(secret)).status, 401);
    await user.page.getByRole('link', { name: 'Keys', exact: true }).click();
    await user.page.getByText('Your session has ended').waitFor();

    await page.getByRole('button', { name: 'Enable account' }).click();
    await page.getByRole('button', { name: 'Disable account' }).waitFor();
    assert.equal((await call(secret)).status, 200);
    await signIn(user, email);
  });

  it('has a page that others cannot see', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/admin');
    await visitor.page.getByRole('heading', { name: 'There is no page at /admin' }).waitFor();
    assert.equal(await visitor.page.getByText('Did you mean').count(), 0);
    assert.equal(await visitor.page.getByRole('link', { name: 'Admin' }).count(), 0);
  });
});

describe('sign-ups', () => {
  it('by invitation need a link, which works once', async () => {
    await using closed = await openDashboard({ SIGNUPS: 'invite' }, dashboard.browser);
    const admin = await closed.newVisitor();
    const token = await closed.service.app.createSetupLink();
    const made = await admin.context.request.post('/account/setup', {
      data: { token, email: 'admin@example.com', password: PASSWORD },
      headers: { origin: admin.origin },
    });
    assert.equal(made.status(), 201);
    const response = await admin.context.request.post('/account/admin/invites', {
      data: {},
      headers: { origin: admin.origin },
    });
    const { url } = (await response.json()) as { url: string };

    const visitor = await closed.newVisitor();
    await visitor.goto('/sign-up');
    await visitor.page.getByText('You need an invitation').waitFor();
    const { pathname, search } = new URL(url);
    const join = async (page: Visitor['page']) => {
      await page.getByLabel('Email', { exact: true }).fill(newEmail());
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Create account' }).click();
    };
    await visitor.goto(pathname + search);
    await join(visitor.page);
    await visitor.page.getByRole('heading', { name: 'Welcome' }).waitFor();
    const late = await closed.newVisitor();
    await late.goto(pathname + search);
    await join(late.page);
    await late.page.getByRole('alert').first().waitFor();
  });

  it('that are closed are not offered', async () => {
    await using closed = await openDashboard({ SIGNUPS: 'closed' }, dashboard.browser);
    const visitor = await closed.newVisitor();
    await visitor.goto('/sign-up');
    await visitor.page.getByText('Sign-ups are closed').waitFor();
  });
});
