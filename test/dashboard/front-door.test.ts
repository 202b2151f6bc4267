/** The front door: what visitors see at `/`, and that its recorded examples are what the service sends. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { startExampleSite } from '../../scripts/front-door/example-site.ts';
import { type RecordedExamples, recordExamples } from '../../scripts/front-door/record-examples.ts';
import { WITH_BROWSER } from '../support/start-app.ts';
import { type Dashboard, newEmail, openDashboard, openSession, PASSWORD } from './open-dashboard.ts';
import { scaledMs } from '../support/patience.ts';

const RECORDED = join(import.meta.dirname, '../../dashboard/src/pages/front-door/recorded/examples.json');

describe('the recorded examples', () => {
  it('have the shapes and values that the service sends today', async () => {
    await using site = await startExampleSite(0);
    const { examples } = await recordExamples(
      site.url,
      {
        ...WITH_BROWSER,
        DNS_SERVERS: `127.0.0.1:${site.dnsPort}`,
        EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
        PDF_TIMEOUT_MS: String(scaledMs(30_000)),
      },
      0,
    );
    const recorded = JSON.parse(await readFile(RECORDED, 'utf8')) as RecordedExamples;
    assert.deepEqual(dropVariable(examples), dropVariable(recorded), 'run "npm run docs -- front-door"');
  });
});

/** Removes times, sizes and the port of the site. */
function dropVariable(examples: RecordedExamples): unknown {
  return JSON.parse(
    JSON.stringify(examples, (name, value: unknown) => {
      if (name === 'ms' || name === 'bytes') return undefined;
      return typeof value === 'string' ? value.replace(/example\.com:\d+/, 'example.com') : value;
    }),
  );
}

describe('a visitor without a session', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard();
  });
  afterEach(() => dashboard.closeVisitors());
  after(() => dashboard?.[Symbol.asyncDispose]());

  it('sees the examples, and nothing runs for them', async () => {
    const visitor = await dashboard.newVisitor();
    const { page } = visitor;
    const called: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:v1|account)\//.test(pathname)) called.push(pathname);
    });
    await visitor.goto('/');
    await page.getByRole('heading', { name: 'Check an address. Read a link. Print a page.' }).waitFor();
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    await page.getByText("import { UtilityApi } from 'utility-api-client'").waitFor();
    assert.deepEqual([...new Set(called)], ['/account/session']);
    assert.deepEqual(visitor.problems, []);
  });

  it('opens the overview by signing in from there, and the sign-in page after signing out', async () => {
    const visitor = await dashboard.newVisitor();
    const { page } = visitor;
    const email = newEmail();
    const other = await dashboard.newVisitor({ width: 1281 });
    await other.context.request.post('/account/sign-up', {
      data: { email, password: PASSWORD },
      headers: { origin: other.origin },
    });
    await visitor.goto('/');
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: `Account ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/sign-in');
    await page.getByRole('link', { name: 'Utility API' }).click();
    await page.getByRole('heading', { name: 'Check an address. Read a link. Print a page.' }).waitFor();
  });

  it('gets the page of an unknown path, with the page that it probably means', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.page.goto('/sing-in');
    await visitor.page.getByRole('link', { name: '/sign-in' }).click();
    await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await openSession(visitor);
    await visitor.page.goto('/kyes');
    await visitor.page.getByText('There is no page at /kyes').waitFor();
    await visitor.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });

  it('sees the strength of a new password, by words that are guessed first and by the address', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.goto('/sign-up');
    const { page } = visitor;
    await page.getByLabel('Email', { exact: true }).fill('marguerite@example.com');
    const field = page.getByRole('textbox', { name: 'Password' });
    await field.fill('password1234');
    await page.getByText('Easy to guess.').waitFor();
    await field.fill('marguerite1');
    await page.getByText('Easy to guess.').waitFor();
    await field.fill(PASSWORD);
    await page.getByText('Strong.').waitFor();
    assert.deepEqual(visitor.problems, []);
  });
});

it('FRONT_DOOR=false leads visitors straight to the sign-in page', async () => {
  await using dashboard = await openDashboard({ FRONT_DOOR: 'false' });
  const { page, goto } = await dashboard.newVisitor();
  await goto('/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/sign-in');
});
