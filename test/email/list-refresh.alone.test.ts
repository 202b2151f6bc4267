/** The refresh of the lists in the real service, from a server on loopback. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp, StartError } from '#app';
import { type CliResult, runCli } from '#cli';
import { loadConfig } from '#config';
import { loadListStatus } from '#email';
import { startApp, type TestApp } from '../support/start-app.ts';
import { formatNames, startListServer } from './list-server.ts';
import { patientMs } from '../support/patience.ts';

const ON_LOOPBACK = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32' };
/** Longer than a refresh and the checks for changes of files take. */
const PATIENCE_MS = patientMs(20_000);
const DAY_MS = 86_400_000;

it('first start: the service fetches the list, and a domain of it becomes disposable', async () => {
  await using server = await startListServer(formatNames(1200));
  await using service = await startApp({ ...ON_LOOPBACK, DISPOSABLE_LIST_URL: server.url });
  const key = await service.createKey();
  await until(() => isDisposable(service, key, 'throwaway-7.com'));
  assert.equal(await isDisposable(service, key, 'mailbox.throwaway-7.com'), true);
  assert.equal(await isDisposable(service, key, 'yopmail.com'), true, 'beside the bundled list');
  assert.equal(await isDisposable(service, key, 'acme.com'), false);
  assert.deepEqual(server.requests, [null]);
  assert.deepEqual(server.paths, ['/domains.txt'], 'the fragment is not sent');
});

it('a domain of one list without #reviewed is suspected; a second list makes it disposable', async () => {
  await using first = await startListServer(formatNames(1200));
  await using second = await startListServer(formatNames(1100));
  const urls = [first.url, second.url].map((url) => url.replace('#reviewed', ''));
  await using service = await startApp({ ...ON_LOOPBACK, DISPOSABLE_LIST_URL: urls.join(',') });
  const key = await service.createKey();
  await until(() => isDisposable(service, key, 'throwaway-7.com'));
  const response = await service.call(
    '/v1/email/validate?check_mx=false&details=true&email=ann@throwaway-1150.com',
    key,
  );
  const { disposable, details } = (await response.json()) as {
    disposable: boolean;
    details: { verdict: string; disposable_evidence: object[] };
  };
  assert.deepEqual([disposable, details.verdict], [false, 'risky']);
  const evidence = [{ source: 'fetched_list', says: 'disposable', date: null }];
  assert.deepEqual(details.disposable_evidence, evidence);
});

it('nothing is fetched before the service listens: the guard must know its addresses', async () => {
  await using server = await startListServer(formatNames(1200));
  await using folder = await openFolder();
  const app = await createApp(
    loadConfig({
      ...ON_LOOPBACK,
      PORT: '0',
      DATA_DIR: folder.path,
      LOG_LEVEL: 'silent',
      CHROMIUM_PATH: '/nonexistent/chromium',
      DISPOSABLE_LIST_URL: server.url,
    }),
  );
  try {
    await delay(300);
    assert.deepEqual(server.requests, []);
    await app.listen();
    await until(() => server.requests.length === 1);
  } finally {
    await app.close();
  }
});

it('over days and restarts: unchanged, new content, a bad file, an outage, a large change that is accepted', async () => {
  await using server = await startListServer(formatNames(1200));
  await using folder = await openFolder();
  let days = 0;
  const nextDay = async (check: (service: TestApp, key: string) => Promise<void>): Promise<void> => {
    const atMs = days++ * DAY_MS;
    const settings = { ...ON_LOOPBACK, DATA_DIR: folder.path, DISPOSABLE_LIST_URL: server.url };
    await using service = await startApp(settings, { now: () => Date.now() + atMs });
    await check(service, await service.createKey());
  };
  const findOutcome = async () => (await loadListStatus(folder.path))?.[1]?.refresh?.outcome;

  await nextDay((service, key) => until(() => isDisposable(service, key, 'throwaway-7.com')));
  await nextDay(async (service, key) => {
    assert.equal(await isDisposable(service, key, 'throwaway-7.com'), true, 'from the saved copy');
    await until(async () => (await findOutcome()) === 'unchanged');
    assert.match(server.requests.at(-1) ?? '', /^"\w+"$/, 'with the ETag');
  });
  server.text = `${formatNames(1200)}fresh-today.com\n`;
  await nextDay((service, key) => until(() => isDisposable(service, key, 'fresh-today.com')));
  server.text = '<!doctype html>\n<title>Not found</title>\n';
  await nextDay(async (service, key) => {
    await until(async () => (await findOutcome()) === 'refused');
    assert.equal(await isDisposable(service, key, 'fresh-today.com'), true);
  });
  server.status = 503;
  await nextDay(async (service, key) => {
    await until(async () => (await findOutcome()) === 'failed');
    assert.equal(await isDisposable(service, key, 'fresh-today.com'), true);
  });
  server.status = 200;
  server.text = formatNames(5000);
  await nextDay(async (service, key) => {
    await until(async () => (await findOutcome()) === 'offered');
    assert.equal(await isDisposable(service, key, 'throwaway-4999.com'), false);
    const { stdout } = await admin(service, folder.path, 'lists', 'accept');
    assert.equal(stdout, `Accepted ${server.url}: 5000 domains instead of 1201.\n`);
    await until(() => isDisposable(service, key, 'throwaway-4999.com'));
    assert.equal(await isDisposable(service, key, 'fresh-today.com'), false);
  });
  server.status = 503;
  await nextDay(async (service, key) =>
    assert.equal(await isDisposable(service, key, 'throwaway-4999.com'), true, 'the accepted list is saved'),
  );
});

it('several lists: each for itself, one accepted through the API of administrators, one removed', async () => {
  await using first = await startListServer(formatNames(1200, 'first'));
  await using second = await startListServer(formatNames(1200, 'second'));
  await using folder = await openFolder();
  const settings = { ...ON_LOOPBACK, DATA_DIR: folder.path };
  const both = { ...settings, DISPOSABLE_LIST_URL: `${first.url},${second.url}` };
  {
    await using service = await startApp(both);
    const key = await service.createKey();
    for (const name of ['first-7.com', 'second-7.com']) await until(() => isDisposable(service, key, name));
  }
  first.text = formatNames(5000, 'first');
  second.status = 503;
  {
    await using service = await startApp(both, { now: () => Date.now() + DAY_MS });
    const key = await service.createKey();
    const asAdministrator = await signUpAdministrator(service);
    const findList = async (url: string) => {
      const { lists } = (await asAdministrator('/account/admin/lists')) as { lists: ShownList[] };
      return lists.find(({ source }) => source === url);
    };
    await until(async () => (await findList(first.url))?.outcome === 'offered');
    await until(async () => (await findList(second.url))?.outcome === 'failed');
    assert.equal((await findList(second.url))?.reason, 'the list answered 503');
    await asAdministrator('/account/admin/lists/accept', { source: first.url });
    assert.equal(await isDisposable(service, key, 'first-4999.com'), true);
    assert.equal(await isDisposable(service, key, 'second-7.com'), true);
  }
  await using service = await startApp({ ...settings, DISPOSABLE_LIST_URL: second.url });
  const key = await service.createKey();
  assert.equal(await isDisposable(service, key, 'first-7.com'), false);
  assert.equal(await isDisposable(service, key, 'second-7.com'), true);
  const copies = (await readdir(join(folder.path, 'lists'))).filter((name) => /^[0-9a-f]+\./.test(name));
  assert.equal(copies.length, 1);
});

it('the operator’s files override all lists, also after a change', async () => {
  await using folder = await openFolder();
  const allowed = join(folder.path, 'allowed.txt');
  const blocked = join(folder.path, 'blocked.txt');
  await writeFile(allowed, '# our partners\nyopmail.com\n');
  await writeFile(blocked, 'acme.com\n');
  await using service = await startApp({ EMAIL_ALLOW_DOMAINS: allowed, EMAIL_BLOCK_DOMAINS: blocked });
  const key = await service.createKey();
  assert.equal(await isDisposable(service, key, 'yopmail.com'), false);
  assert.equal(await isDisposable(service, key, 'hr.acme.com'), true);
  await writeFile(`${allowed}~`, 'acme.com\n');
  await rename(`${allowed}~`, allowed);
  await until(() => isDisposable(service, key, 'yopmail.com'));
  assert.equal(await isDisposable(service, key, 'hr.acme.com'), false);
  await writeFile(blocked, 'hr.acme.com\n');
  await until(() => isDisposable(service, key, 'hr.acme.com'));
});

it('a bad file of the operator stops the start, with its name and line', async () => {
  await using folder = await openFolder();
  const path = join(folder.path, 'blocked.txt');
  await writeFile(path, 'acme.com\nacme com\n');
  const config = loadConfig({ LOG_LEVEL: 'silent', DATA_DIR: folder.path, EMAIL_BLOCK_DOMAINS: path });
  await assert.rejects(createApp(config), (error: Error) => {
    assert.ok(error instanceof StartError);
    assert.equal(
      error.message,
      `${path}, line 2: «acme com» is not a domain; write one domain per line. Correct the file that EMAIL_ALLOW_DOMAINS or EMAIL_BLOCK_DOMAINS names.`,
    );
    return true;
  });
});

interface ShownList {
  source: string | null;
  outcome: string | null;
  reason: string | null;
}

/**
 * Creates the first administrator with the link of the first start; returns a function that calls as them.
 */
async function signUpAdministrator(
  service: TestApp,
): Promise<(path: string, body?: object) => Promise<unknown>> {
  const token = await service.app.createSetupLink();
  let cookie = '';
  const call = async (path: string, body?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', origin: service.url, cookie };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(service.url + path, init);
    const answer = await response.json();
    assert.ok(response.ok, JSON.stringify(answer));
    if (cookie === '')
      cookie = response.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');
    return answer;
  };
  await call('/account/setup', { token, email: 'boss@acme.com', password: 'correct horse battery' });
  return call;
}

async function openFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'list-refresh-app-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Runs the command line on the folder of a service. */
function admin({ app }: TestApp, dataDir: string, ...args: string[]): Promise<CliResult> {
  return runCli(
    args,
    async () => ({
      ...app.storage,
      plans: new Map(),
      dataDir,
      origin: 'http://service.example',
      readReadiness: async () => null,
      copyDatabase: null,
      now: Date.now,
    }),
    () => assert.fail('not the files'),
  );
}

/** Resolves when the check is true; fails after PATIENCE_MS. */
async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await check())) {
    assert.ok(performance.now() < endMs, 'not within the time of this test');
    await delay(50);
  }
}

async function isDisposable(service: TestApp, key: string, domain: string): Promise<boolean> {
  const response = await service.call(`/v1/email/validate?check_mx=false&email=ann@${domain}`, key);
  const body = (await response.json()) as { disposable: boolean };
  assert.equal(response.status, 200, JSON.stringify(body));
  return body.disposable;
}
