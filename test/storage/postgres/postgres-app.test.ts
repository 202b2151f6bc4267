/** A whole service on PostgreSQL, and the move of an embedded database into it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openPostgresServer, skipPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { patientMs } from '../../support/patience.ts';

const PATH = '/v1/email/validate?email=ann@example.com&check_mx=false';
const PERSON = { email: 'ann@example.com', password: 'correct horse battery' };
const CLI = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

interface Answer {
  status: number;
  body: Record<string, unknown>;
  cookie: string;
}

/** Sends a request of the dashboard. */
async function send(
  service: TestApp,
  method: string,
  path: string,
  body?: object,
  cookie = '',
): Promise<Answer> {
  const response = await service.call(`/account${path}`, null, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      'sec-fetch-site': 'same-origin',
      ...(cookie && { cookie }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const [set = ''] = response.headers.getSetCookie();
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    cookie: set.split(';', 1)[0] ?? '',
  };
}

/** Signs up and in, and creates a key in the dashboard. */
async function becomeCustomer(service: TestApp): Promise<{ cookie: string; secret: string }> {
  assert.equal((await send(service, 'POST', '/sign-up', PERSON)).status, 202);
  const { status, cookie } = await send(service, 'POST', '/sign-in', PERSON);
  assert.equal(status, 200);
  const created = await send(service, 'POST', '/keys', { name: 'first' }, cookie);
  assert.equal(created.status, 201);
  return { cookie, secret: created.body['secret'] as string };
}

/** Runs the command line of the operator. */
async function runAdmin(env: Record<string, string>, ...args: string[]) {
  const run = promisify(execFile)(process.execPath, [CLI, ...args], { env: { ...process.env, ...env } });
  return run.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

describe('a service on PostgreSQL', { skip: skipPostgres }, () => {
  let server: TestPostgres;
  before(async () => {
    server = await openPostgresServer();
  });
  after(() => server[Symbol.asyncDispose]());

  it('signs people up, creates keys, answers calls, and shows what was called', async () => {
    const databaseUrl = await server.createDatabase();
    await using service = await startApp({ DATABASE_URL: databaseUrl });
    const { cookie, secret } = await becomeCustomer(service);
    assert.equal((await service.call(PATH, secret)).status, 200);
    let requests = 0;
    for (let tries = 0; requests === 0 && tries < patientMs(100); tries += 1) {
      const { body } = await send(service, 'GET', '/requests', undefined, cookie);
      requests = (body['requests'] as unknown[]).length;
      await delay(50);
    }
    assert.equal(requests, 1);
    const listed = await runAdmin({ DATABASE_URL: databaseUrl }, 'accounts', 'list', '--json');
    assert.match(listed.stdout, /ann@example\.com/);
  });

  it('is shared by replicas: a session and a key of one work on the other', async () => {
    const settings = { DATABASE_URL: await server.createDatabase() };
    await using one = await startApp(settings);
    await using other = await startApp(settings);
    const { cookie, secret } = await becomeCustomer(one);
    assert.equal((await other.call(PATH, secret)).status, 200);
    const { body } = await send(other, 'GET', '/keys', undefined, cookie);
    const [key] = body['keys'] as { id: string }[];
    assert.equal((await send(other, 'DELETE', `/keys/${key?.id}`, undefined, cookie)).status, 204);
    // Without an end, if a revoked key does not stop working.
    while ((await one.call(PATH, secret)).status !== 401) await delay(20);
  });

  describe('database copy', () => {
    let dataDir: string;
    let customer: { cookie: string; secret: string };
    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'copied-'));
      await using service = await startApp({ DATA_DIR: dataDir });
      customer = await becomeCustomer(service);
      for (let n = 0; n < 3; n += 1) await service.call(PATH, customer.secret);
    });
    after(() => rm(dataDir, { recursive: true }));

    it('moves accounts with their passwords, sessions, keys and usage', async () => {
      const env = { DATA_DIR: dataDir, DATABASE_URL: await server.createDatabase() };
      const copied = await runAdmin(env, 'database', 'copy');
      assert.equal(copied.code, 0, copied.stderr);
      assert.match(copied.stdout, /^Copied .*utility-api\.db → PostgreSQL at .*\. Both have these rows:/);
      assert.match(copied.stdout, /^accounts +1 +[0-9a-f]{16}$/m);
      assert.match(copied.stdout, /^usage_requests +3 +[0-9a-f]{16}$/m);
      await using service = await startApp(env);
      assert.equal((await service.call(PATH, customer.secret)).status, 200);
      assert.equal((await send(service, 'GET', '/keys', undefined, customer.cookie)).status, 200);
      assert.equal((await send(service, 'POST', '/sign-in', PERSON)).status, 200);
      const wrong = await send(service, 'POST', '/sign-in', { ...PERSON, password: 'another password!' });
      assert.equal(wrong.status, 401);
    });

    it('a second time changes nothing', async () => {
      const env = { DATA_DIR: dataDir, DATABASE_URL: await server.createDatabase() };
      const first = JSON.parse((await runAdmin(env, 'database', 'copy', '--json')).stdout) as object;
      const second = JSON.parse((await runAdmin(env, 'database', 'copy', '--json')).stdout) as object;
      assert.deepEqual(second, { ...first, changed: false });
    });

    it('refuses a target with other accounts, unless --replace is given', async () => {
      const env = { DATA_DIR: dataDir, DATABASE_URL: await server.createDatabase() };
      const created = await runAdmin(env, 'accounts', 'create', 'other@example.com');
      assert.equal(created.code, 0, created.stderr);
      const refused = await runAdmin(env, 'database', 'copy');
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /^The target has other rows \(accounts: 1.*\): choose an empty database/);
      const { stdout } = await runAdmin(env, 'accounts', 'list');
      assert.match(stdout, /other@example\.com/);
      assert.equal((await runAdmin(env, 'database', 'copy', '--replace')).code, 0);
      assert.doesNotMatch((await runAdmin(env, 'accounts', 'list')).stdout, /other@example\.com/);
    });

    it('refuses while the schemas differ, and without a database to copy or a target', async () => {
      const env = { DATA_DIR: dataDir, DATABASE_URL: await server.createDatabase() };
      await runAdmin(env, 'accounts', 'list');
      const missing = await runAdmin({ ...env, DATA_DIR: join(dataDir, 'missing') }, 'database', 'copy');
      assert.match(missing.stderr, /^There is no database to copy: ENOENT/);
      const untargeted = await runAdmin({ DATA_DIR: dataDir }, 'database', 'copy');
      assert.match(untargeted.stderr, /^DATABASE_URL is not set/);
      const { DatabaseSync } = await import('node:sqlite');
      const db = new DatabaseSync(join(dataDir, 'utility-api.db'));
      db.exec(`update kysely_migration set name = '0004-of-another-release' where name like '0004%'`);
      const different = await runAdmin(env, 'database', 'copy');
      assert.match(different.stderr, /^The schema of the embedded database .* is not that of PostgreSQL/);
      db.exec(`update kysely_migration set name = '0004-usage-batches' where name like '0004%'`);
      db.close();
    });
  });
});
