/** A new user, from the first page to a revoked key, with a real browser, a real service and real PDFs. */
import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { isFullRun } from '../support/sample.ts';
import { WITH_BROWSER } from '../support/start-app.ts';
import { openSite, type Site } from '../support/site.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import {
  ARTIFACTS,
  type Dashboard,
  newEmail,
  openDashboard,
  PASSWORD,
  type Visitor,
} from './open-dashboard.ts';
import { SNIPPET_LANGUAGES } from '../../dashboard/src/components/snippets.ts';
import { waitForUsage } from './wait-for-records.ts';
import { linkClients, PROGRAMS, runSnippet } from './snippet-programs.ts';
import { scaledMs } from '../support/patience.ts';

let dns: DnsServer;
let site: Site;
let dashboard: Dashboard;

before(async () => {
  dns = await startDnsServer({
    zones: {
      'gmial.com': { MX: [{ exchange: 'mx.gmial.com', priority: 10 }] },
      'mx.gmial.com': { A: ['127.0.0.1'] },
      'example.com': { A: ['127.0.0.1'] },
    },
  });
  site = await openSite({
    listenOn: '127.0.0.1',
    ports: [0],
    answer: (_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(`<title>A page</title><script>document.title = 'Drawn'</script>`),
  });
  dashboard = await openDashboard({
    ...WITH_BROWSER,
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  });
});

after(async () => {
  await dashboard?.[Symbol.asyncDispose]();
  await site?.close();
  await dns?.close();
});

it('a new user signs up, creates a key, calls all operations, sees the usage, rotates and revokes the key', async () => {
  const visitor = await dashboard.newVisitor();
  const { page } = visitor;
  const startedAt = Date.now();

  await visitor.goto('/');
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.getByLabel('Email', { exact: true }).fill(newEmail());
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();

  const first = await createFirstKey(visitor);
  await page.getByRole('button', { name: 'Call the API' }).click();
  await page.getByText('200 OK').waitFor();
  await page.getByText('"did_you_mean": "ann@gmail.com"').waitFor();
  assert.ok(Date.now() - startedAt < scaledMs(60_000), 'the first call takes less than a minute');
  if (isFullRun) await page.screenshot({ path: join(ARTIFACTS, 'first-call.png'), fullPage: true });

  await runSnippets(visitor, first);
  await callAllOperations(first);
  await tryEachForm(visitor);
  await seeUsage(visitor);
  const second = await rotateAtOnce(visitor);
  await expectStatus(first, 401);
  await expectStatus(second, 200);
  await revoke(visitor);
  await expectStatus(second, 401);

  assert.ok(!(await page.content()).includes(second.slice(15)), 'the secret is gone from the page');
  const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  assert.ok(!stored.includes('ua_live_'), 'no secret is kept in the browser');
  assert.deepEqual(visitor.problems, []);
});

async function createFirstKey({ page }: Visitor): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = (await page.getByTestId('key-secret').innerText()).trim();
  assert.match(secret, /^ua_live_[0-9A-Za-z]{38}$/);
  await page.getByRole('button', { name: 'Copy key' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
  return secret;
}

/** Runs each snippet exactly as the page shows it. */
async function runSnippets({ page }: Visitor, secret: string): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'snippets-'));
  await linkClients(folder.path);
  for (const { value, label } of SNIPPET_LANGUAGES) {
    await page.getByRole('tab', { name: label }).click();
    const code = await page.getByRole('tabpanel', { name: label }).innerText();
    const program = PROGRAMS[value];
    if (typeof program === 'string') continue;
    assert.match(await runSnippet(program, code, folder.path, secret), /g(?:mial|mail)\.com/, label);
  }
}

async function callAllOperations(key: string): Promise<void> {
  const { url, call } = dashboard.service;
  assert.match(url, /^http/);
  const email = await call('/v1/email/validate?email=ann@gmial.com', key);
  assert.equal(email.status, 200);
  const meta = await call(`/v1/meta?url=${encodeURIComponent(`http://example.com:${site.port}/`)}`, key);
  assert.equal(((await meta.json()) as { title: string }).title, 'A page');
  const pdf = await call('/v1/pdf/generate', key, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ html: '<h1>Hello</h1>' }),
  });
  assert.equal(pdf.headers.get('content-type'), 'application/pdf');
  await pdf.arrayBuffer();
}

async function tryEachForm({ page, goto }: Visitor): Promise<void> {
  const forms = page.getByRole('navigation', { name: 'Try it' });
  await goto('/try');
  await page.getByRole('button', { name: 'Validate' }).click();
  await page.getByText('"mx_found": true').waitFor();
  await page.getByText('Not deliverable, and probably a typo').waitFor();
  assert.equal(await page.locator('mark').first().innerText(), 'ai');
  await page.getByText('This call took 1 of').waitFor();
  await page.getByRole('tab', { name: 'Headers' }).click();
  await page.getByText('x-ratelimit-remaining').waitFor();
  await checkList(page);

  await forms.getByRole('link', { name: 'Metadata' }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill(`http://example.com:${site.port}/`);
  await page.getByRole('button', { name: 'Read' }).click();
  await page.getByRole('row', { name: 'title A page <title>' }).waitFor();
  await tryEachMetadataField(page);

  await forms.getByRole('link', { name: 'PDF' }).click();
  await tryWorkbench(page);
}

/** Checks a list with a cell that a spreadsheet would run, and reads the file with the results. */
async function checkList(page: Visitor['page']): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('who;mail\n=1+1;ann@gmial.com\nBob;bob@@example.com\n'),
  });
  await page.getByRole('button', { name: 'Check 2 addresses' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download results' }).click();
  const download = await saving;
  assert.equal(download.suggestedFilename(), 'people-checked.csv');
  const [, first, second] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  assert.match(first ?? '', /^'=1\+1,ann@gmial\.com,no_mail_host,ann@gmail\.com,undeliverable,/);
  assert.match(second ?? '', /^Bob,bob@@example\.com,invalid,/);
}

async function tryWorkbench(page: Visitor['page']): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'HTML' });
  const html = await editor.inputValue();
  await editor.press('ControlOrMeta+Home');
  await editor.press('Tab');
  assert.equal(await editor.inputValue(), `  ${html}`, 'Tab indents');
  await editor.press('Escape');
  await editor.press('Tab');
  assert.equal(await editor.evaluate('document.activeElement.tagName'), 'INPUT', 'Escape, Tab leaves');
  await editor.fill(html.replace('<header>', `<header><img src="http://example.com:9/gap.png">`));
  await page.getByRole('button', { name: 'Render' }).click();
  await page.locator('canvas[data-rendered]').first().waitFor();
  const shades = await page.evaluate<number>(`{
    const canvas = document.querySelector('canvas[data-rendered]');
    new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size;
  }`);
  assert.ok(shades > 20, 'the page of the PDF is drawn');
  await page.getByText('1 of 2', { exact: true }).waitFor();
  const line = html.slice(0, html.indexOf('<header>')).split('\n').length;
  await page.getByRole('button', { name: `Line ${line}` }).click();
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const bytes = await readFile(await (await waiting).path());
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
}

/** Changes every field; the site sees those that say who requests the page, the result has the others. */
async function tryEachMetadataField(page: Visitor['page']): Promise<void> {
  const form = page.locator('form');
  await form.getByRole('switch', { name: 'details' }).click();
  for (const name of ['probe', 'oembed'])
    assert.equal(await form.getByRole('switch', { name }).isDisabled(), true, `${name} needs details`);
  for (const name of ['details', 'probe', 'oembed', 'follow_redirects'])
    await form.getByRole('switch', { name }).click();
  await form.getByRole('button', { name: 'More options' }).click();
  for (const [name, value] of [
    ['render', 'true'],
    ['user_agent', 'preview'],
  ] as const) {
    await form.getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: value, exact: true }).click();
  }
  await form.getByRole('textbox', { name: 'language' }).fill('de-CH, de;q=0.9');
  await form.getByRole('textbox', { name: 'timeout' }).fill('20000');
  await form.getByRole('textbox', { name: 'max_age' }).fill('600');
  await form.getByRole('button', { name: 'Read' }).click();
  await page.getByRole('row', { name: 'title Drawn <title>' }).waitFor();
  await page.getByRole('tab', { name: 'Response and code' }).click();
  await page.getByText('"rendered": true').waitFor();
  await page.getByText('"probed": {').waitFor();
  const { headers } = site.requests.findLast(({ path }) => path === '/')!;
  assert.equal(headers['accept-language'], 'de-CH, de;q=0.9');
  assert.match(headers['user-agent']!, /preview/i);
  const again = page.waitForResponse('**/account/try/getMetadata?*');
  await form.getByRole('button', { name: 'Read' }).click();
  await again;
  await page.getByRole('tab', { name: 'Headers' }).click();
  // It comes from the cache.
  await page
    .getByText(/age: \d+/)
    .first()
    .waitFor();
}

async function seeUsage(visitor: Visitor): Promise<void> {
  const { page, goto } = visitor;
  const expected = { getMetadata: 4, generatePdf: 2 };
  await waitForUsage(visitor, ({ operations }) =>
    Object.entries(expected).every(([name, requests]) =>
      operations.some((counted) => counted.operation === name && counted.requests >= requests),
    ),
  );
  await goto('/usage?range=1h');
  const table = page.getByRole('table', { name: 'Requests by operation and status' });
  assert.match((await table.innerText()).replaceAll(/\s+/g, ' '), /Metadata 4 .*PDF 2 /);
  await page.getByRole('slider', { name: /^Requests per minute/ }).waitFor();
  if (isFullRun) await page.screenshot({ path: join(ARTIFACTS, 'first-usage.png'), fullPage: true });
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const csv = await readFile(await (await waiting).path(), 'utf8');
  // The two calls may fall into two minutes.
  const counts = [...csv.matchAll(/generatePdf,2xx,(\d+)/g)].map(([, count]) => Number(count));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    2,
    csv,
  );

  await goto('/requests');
  await page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(6).waitFor();
}

async function openMenu({ page, goto }: Visitor, action: string): Promise<void> {
  await goto('/keys');
  await page.getByRole('button', { name: 'Actions for My first key' }).first().click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function rotateAtOnce(visitor: Visitor): Promise<string> {
  const { page } = visitor;
  await openMenu(visitor, 'Rotate');
  await page.getByRole('combobox', { name: 'The old key stops working' }).click();
  await page.getByRole('option', { name: 'Immediately' }).click();
  await page.getByRole('button', { name: 'Rotate' }).click();
  const secret = (await page.getByTestId('key-secret').innerText()).trim();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  return secret;
}

async function revoke(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await openMenu(visitor, 'Revoke');
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('table', { name: 'Keys' }).getByText('Revoked').nth(1).waitFor();
}

async function expectStatus(key: string, status: number): Promise<void> {
  const response = await dashboard.service.call('/v1/email/validate?email=a@example.com&check_mx=false', key);
  assert.equal(response.status, status);
}
