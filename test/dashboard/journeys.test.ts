/** A newcomer's way to the first call in the log, and an operator's day: in both themes, without faults. */
import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import { isFullRun } from '../support/sample.ts';
import { findViolations } from './find-violations.ts';
import {
  createKey,
  type Dashboard,
  newEmail,
  openDashboard,
  openSession,
  PASSWORD,
  type Visitor,
} from './open-dashboard.ts';
import { waitForLog } from './wait-for-records.ts';

let dashboard: Dashboard;

before(async () => {
  dashboard = await openDashboard({
    PLANS: 'free=60,pro=600',
    SIGNUPS: 'open',
    MONTHLY_QUOTAS: 'free=1',
  });
});

afterEach(() => dashboard.closeVisitors());
after(() => dashboard?.[Symbol.asyncDispose]());

/** Unless TEST_FULL=1, each journey is in one theme. */
const THEMES = ['light', 'dark'] as const;

for (const scheme of isFullRun ? THEMES : THEMES.slice(0, 1))
  it(`a newcomer comes from the front door to the first call in the log, ${scheme} theme`, async () => {
    const visitor = await dashboard.newVisitor({ scheme });
    const { page } = visitor;
    await visitor.goto('/');
    await checkPage(visitor, scheme);
    await signUp(visitor, '/', newEmail());
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByTestId('key-secret').innerText()).trim();
    const called = await dashboard.service.call('/v1/email/validate?email=ann@gmial.com', secret);
    assert.equal(called.status, 200);
    const id = called.headers.get('x-request-id')!;

    await waitForLog(visitor, id);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('table', { name: 'Requests' }).getByText(id.slice(-6)).click();
    const request = page.getByRole('region', { name: 'Request' });
    await request.getByText('GET /v1/email/validate').waitFor();
    await request.getByText('My first key').waitFor();
    assert.ok(await request.getByText(id).isVisible());
    await checkPage(visitor, scheme);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByText(/^All 1 requests of \w+ are used/).waitFor();
    await checkPage(visitor, scheme);
  });

for (const scheme of isFullRun ? THEMES : THEMES.slice(1))
  it(`an operator admits a customer, finds a failed request, raises a plan and revokes a key, ${scheme} theme`, async () => {
    const operator = await openOperator(scheme);
    const { page } = operator;
    await operator.goto('/admin');
    const email = newEmail();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('textbox', { name: /^Email address/ }).fill(email);
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByText('/sign-up?invite=').innerText();
    await page.getByRole('button', { name: 'Done' }).click();

    const customer = await dashboard.newVisitor({ scheme });
    const { pathname, search } = new URL(link.trim());
    await signUp(customer, pathname + search, email);
    const { secret } = await createKey(customer, 'Shop');
    const failed = await dashboard.service.call(
      '/v1/email/validate?email=a@example.com&check_mx=maybe',
      secret,
    );
    assert.equal(failed.headers.get('x-ratelimit-limit'), '60');
    const id = failed.headers.get('x-request-id')!;

    await waitForLog(customer, id);
    await findRequest(operator, id);
    await checkPage(operator, scheme);
    await page.getByRole('button', { name: email }).click();
    await page.getByRole('combobox', { name: 'Plan' }).click();
    const changed = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('option', { name: 'pro' }).click();
    assert.equal((await changed).status(), 200);
    const call = () =>
      dashboard.service.call('/v1/email/validate?email=a@example.com&check_mx=false', secret);
    assert.equal((await call()).headers.get('x-ratelimit-limit'), '600');

    const shop = page.getByRole('list', { name: `Keys of ${email}` }).getByRole('listitem');
    await shop.getByRole('button', { name: 'Revoke Shop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke key?' });
    await dialog.getByText(email).waitFor();
    await checkPage(operator, scheme);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await call()).status, 200, 'nothing happens before the confirmation');
    await shop.getByRole('button', { name: 'Revoke Shop' }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await shop.getByText('revoked').waitFor();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await shop.getByRole('button').count(), 0);
    assert.match(await page.locator(':focus').innerText(), /^Keys/, 'the focus stays at the list');
    assert.equal((await call()).status, 401);
    await checkPage(operator, scheme);
    await customer.goto('/audit');
    await customer.page.getByText('Shop, by an administrator').waitFor();
    await checkPage(customer, scheme);
  });

/** Opens the sign-up page, from the front door or an invitation, and creates the account. */
async function signUp({ page, goto }: Visitor, path: string, email: string): Promise<void> {
  await goto(path);
  const link = page.getByRole('link', { name: 'Create account' });
  if (path === '/') await link.first().click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  const field = page.getByLabel('Email', { exact: true });
  if (await field.isEditable()) await field.fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
}

async function openOperator(scheme: 'light' | 'dark'): Promise<Visitor> {
  const operator = await dashboard.newVisitor({ scheme });
  const email = await openSession(operator);
  const { accounts } = dashboard.service.app.storage;
  const { id } = (await accounts.findAccountByEmail(email))!;
  await accounts.updateAccount(id, { admin: true, emailVerified: true }, Date.now());
  return operator;
}

/** Looks the request up on the admin page. */
async function findRequest({ page }: Visitor, id: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Look up a request by its ID' }).fill(id);
  await page.keyboard.press('Enter');
  await page.getByRole('status', { name: 'Request' }).getByText('invalid_parameter').waitFor();
}

/** Fails on the other theme, on axe violations and on what the console says. */
async function checkPage({ page, problems }: Visitor, scheme: 'light' | 'dark'): Promise<void> {
  assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), scheme);
  await page.locator('.mantine-Skeleton-root, .mantine-Loader-root').first().waitFor({ state: 'detached' });
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))');
  assert.deepEqual(await findViolations(page), []);
  assert.deepEqual(problems, []);
}
