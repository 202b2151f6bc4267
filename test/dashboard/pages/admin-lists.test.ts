/** An administrator sees the lists of domains and accepts a large change. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { openCurrentLists } from '#email';
import { formatNames } from '../../email/list-server.ts';
import { type Dashboard, openDashboard, PASSWORD } from '../open-dashboard.ts';

// Not fetched: the service has refreshed it less than a day ago.
const URL_OF_LIST = 'https://lists.example/domains.txt';
let dataDir: string;
let dashboard: Dashboard;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dashboard-lists-'));
  await offerList();
  dashboard = await openDashboard({ DATA_DIR: dataDir, DISPOSABLE_LIST_URL: URL_OF_LIST });
});
after(async () => {
  await dashboard?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

/** Leaves a list of 1,000 domains in the folder, and one of 2,000 that is offered. */
async function offerList(): Promise<void> {
  const texts = [`${formatNames(1000)}co.uk\n`, formatNames(2000)];
  const done = Promise.withResolvers<void>();
  const lists = await openCurrentLists({
    dataDir,
    urls: [URL_OF_LIST],
    allowedFile: null,
    blockedFile: null,
    now: Date.now,
    log: () => {},
    intervalMs: 5,
  });
  lists.start(async () => {
    const text = texts.shift();
    if (text !== undefined) return { status: 'fresh', text, etag: null };
    done.resolve();
    return { status: 'not_modified' };
  });
  await done.promise;
  await lists.close();
}

it('the tab Lists shows what a list offers, and Accept uses it', async () => {
  const { page, context, origin, goto, problems } = await dashboard.newVisitor();
  const token = await dashboard.service.app.createSetupLink();
  const made = await context.request.post('/account/setup', {
    data: { token, email: 'admin@example.com', password: PASSWORD },
    headers: { origin },
  });
  assert.equal(made.status(), 201);
  await goto('/admin');
  await page.getByRole('tab', { name: 'Lists' }).click();
  const row = page.getByRole('row', { name: URL_OF_LIST });
  await row.getByText('1,000', { exact: true }).waitFor();
  await row.getByText('2,000 domains offered').waitFor();
  await row.getByText('Dropped: 0 malformed, 1 public suffixes, 0 providers').waitFor();
  await row.getByRole('button', { name: `Accept the change of ${URL_OF_LIST}` }).click();
  await row.getByText('2,000', { exact: true }).waitFor();
  await row.getByText('Accepted').waitFor();
  assert.equal(await row.getByRole('button').count(), 0);
  assert.deepEqual(problems, []);
});
