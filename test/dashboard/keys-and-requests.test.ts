/** The list of keys and the request log at work, with the keyboard too. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before } from 'node:test';
import { sampleTests } from '../support/sample.ts';
import { createKey, type Dashboard, openDashboard, openSession, type Visitor } from './open-dashboard.ts';
import { waitForLog } from './wait-for-records.ts';

const it = sampleTests(2);

let dashboard: Dashboard;

before(async () => {
  dashboard = await openDashboard();
});

afterEach(() => dashboard.closeVisitors());
after(() => dashboard?.[Symbol.asyncDispose]());

const ACCEPTED = '/v1/email/validate?email=a@example.com&check_mx=false';
const REJECTED = '/v1/email/validate?email=a@example.com&check_mx=maybe';
const UNKNOWN = '/v1/nothing';

/** Calls the paths with the key, one after the other. Returns the request IDs when the log has them. */
async function callAndWait(visitor: Visitor, secret: string, paths: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const path of paths)
    ids.push((await dashboard.service.call(path, secret)).headers.get('x-request-id')!);
  await waitForLog(visitor, ids.at(-1)!);
  return ids;
}

it('a new key waits for its first request and then links to it; its segment and search find it', async () => {
  const visitor = await dashboard.newVisitor();
  await openSession(visitor);
  const { page } = visitor;
  await visitor.goto('/keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('webhooks');
  await dialog.getByRole('checkbox', { name: 'PDF' }).uncheck();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog.getByTestId('key-secret').innerText()).trim();
  await dialog.getByText('Waiting for the first request with this key').waitFor();
  await page.keyboard.press('Escape');
  assert.ok(await dialog.isVisible(), 'Escape does not lose the secret');
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as .env' }).click();
  assert.equal(await readFile(await (await saved).path(), 'utf8'), `UTILITY_API_KEY=${secret}\n`);
  await dialog.getByRole('button', { name: 'Copy the line that sets the key' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), `export UTILITY_API_KEY='${secret}'`);
  await callAndWait(visitor, secret, [ACCEPTED]);
  await dialog.getByText('The first request took').waitFor();
  await dialog.getByRole('link', { name: 'See it in the log' }).click();
  await page.getByRole('region', { name: 'Request' }).getByText('Succeeded').waitFor();

  await visitor.goto('/keys');
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row', { name: /webhooks/ });
  assert.match(await row.innerText(), /Active.*webhooks.*Email, Metadata.*Never/s);
  await page.keyboard.press('/');
  await page.keyboard.type('nothing');
  await page.getByText('No keys match').waitFor();
  await page.getByRole('button', { name: 'Show all keys' }).click();
  await page.getByText('Ended 0', { exact: true }).click();
  await row.waitFor({ state: 'detached' });
  assert.match(page.url(), /state=ended/);
  assert.deepEqual(visitor.problems, []);
});

it('the log explains a failed request, moves with J and K, and closes with Escape', async () => {
  const visitor = await dashboard.newVisitor();
  await openSession(visitor);
  const { page } = visitor;
  const { secret } = await createKey(visitor);
  const [accepted, rejected] = await callAndWait(visitor, secret, [ACCEPTED, REJECTED, UNKNOWN]);
  await visitor.goto('/requests');
  const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row');
  assert.match(await rows.nth(2).innerText(), /400\s+Email\s+invalid_parameter\s*check_mx\s+\d+ ms\s+Server/);
  await rows.nth(1).press('Enter');
  const inspector = page.getByRole('region', { name: 'Request' });
  await inspector.getByText('No operation has this path.').waitFor();
  await page.keyboard.press('j');
  await inspector.getByText('check_mx had a value that is not allowed.').waitFor();
  assert.ok(await inspector.getByText(rejected!, { exact: true }).isVisible());
  const reference = inspector.getByRole('link', { name: 'invalid_parameter in the reference' });
  const target = await visitor.context.request.get((await reference.getAttribute('href'))!);
  assert.match(await target.text(), /id="invalid_parameter"/);
  await page.keyboard.press('j');
  await inspector.getByText('Succeeded').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('request'), accepted);
  assert.ok(await inspector.getByRole('button', { name: 'Next (J)' }).isDisabled());
  await page.keyboard.press('k');
  await inspector.getByText('What to do').waitFor();
  await page.keyboard.press('Escape');
  await inspector.waitFor({ state: 'detached' });
  await page.locator('tr:focus').waitFor();
  assert.deepEqual(visitor.problems, []);
});

it('the log is searched by a request ID, part of one, and the link in an error body', async () => {
  const visitor = await dashboard.newVisitor();
  await openSession(visitor);
  const { page } = visitor;
  const { secret } = await createKey(visitor);
  const [accepted, rejected] = await callAndWait(visitor, secret, [ACCEPTED, REJECTED]);
  await visitor.goto('/requests');
  const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
  await rows.nth(1).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(rejected!);
  const inspector = page.getByRole('region', { name: 'Request' });
  await inspector.getByText('invalid_parameter', { exact: true }).waitFor();
  assert.equal(await rows.count(), 1);
  await inspector.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('searchbox').fill('no-such-id');
  await page.getByText('The log has no request ID').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rows.nth(1).waitFor();
  await page.getByRole('searchbox').fill(accepted!.slice(-6));
  await rows.nth(1).waitFor({ state: 'detached' });
  assert.match(await rows.first().innerText(), /200/);
  await visitor.goto('/keys');
  await visitor.goto(`/requests#${rejected}`);
  await inspector.getByText('What to do').waitFor();
  assert.deepEqual(visitor.problems, []);
});

it('filters are chips that a link carries, and the CSV and the chart have them too', async () => {
  const visitor = await dashboard.newVisitor();
  await openSession(visitor);
  const { page } = visitor;
  const shop = await createKey(visitor, 'Shop');
  const blog = await createKey(visitor, 'Blog');
  await callAndWait(visitor, blog.secret, [REJECTED]);
  await callAndWait(visitor, shop.secret, [ACCEPTED, REJECTED, UNKNOWN]);
  await visitor.goto(`/requests?error=invalid_parameter,not_found&range=today&key=${shop.id}`);
  const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
  await rows.nth(1).waitFor();
  assert.equal(await rows.count(), 2);
  const filters = page.getByRole('group', { name: 'Filters' });
  await filters.getByRole('button', { name: 'Today, UTC' }).waitFor();
  await filters.getByRole('button', { name: /^Key Shop/ }).waitFor();
  await page
    .getByRole('slider', { name: '2 requests by time, in UTC' })
    .or(page.getByRole('img', { name: '2 requests by time, in UTC' }))
    .waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const csv = await readFile(await (await saved).path(), 'utf8');
  assert.equal(csv.trim().split('\r\n').length, 3, csv);
  await filters.getByRole('button', { name: /^Error/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'not_found' }).click();
  await page.keyboard.press('Escape');
  await rows.nth(1).waitFor({ state: 'detached' });
  await filters.getByRole('button', { name: 'Remove the filter Key' }).click();
  await rows.nth(1).waitFor();
  assert.equal(new URL(page.url()).search, '?error=invalid_parameter&range=today');
  await filters.getByRole('button', { name: 'Clear' }).click();
  await rows.nth(3).waitFor();
  assert.deepEqual(visitor.problems, []);
});
