/** The commands that show and change what administrators see and change in the dashboard. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createAccount, createKey } from '#accounts';
import { runCli, type CliResult } from '#cli';
import { openStorage, type Storage } from '#storage';
import { formatLocalUrl, readReadiness, type Readiness } from '../../src/cli/read-readiness.ts';

const plans = new Map([
  ['free', { limitPerMinute: 60, slots: 2 }],
  ['pro', { limitPerMinute: 600, slots: null, monthlyQuota: 100 }],
]);
const NOW = Date.UTC(2026, 5, 15, 12);
const READY: Readiness = {
  url: 'http://127.0.0.1:3000',
  status: 'ready',
  parts: { database: { ok: true }, browser: { ok: true, slots: 4 } },
};

describe('npm run admin, as an administrator', () => {
  let storage: Storage;
  let dataDir: string;
  let readiness: Readiness | null = READY;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cli-'));
    storage = await openStorage({ dataDir, watchIntervalMs: 0 });
  });
  after(async () => {
    await storage.close();
    await rm(dataDir, { recursive: true });
  });

  const run = (line: string): Promise<CliResult> =>
    runCli(
      line.split(' ').filter(Boolean),
      async () => ({
        ...storage,
        plans,
        dataDir,
        origin: 'https://api.example.com',
        readReadiness: async () => readiness,
        copyDatabase: null,
        now: () => NOW,
      }),
      () => {
        throw new Error('the files of the database were requested');
      },
    );
  const read = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout);
  const open = async (email: string) => {
    const account = await createAccount(storage.accounts, plans, { email }, NOW);
    const { key } = await createKey(storage.keys, { accountId: account.id, name: 'ci' }, NOW);
    return { id: account.id, keyId: key.id, key };
  };
  const listEvents = async (id: string) =>
    (await storage.access.listAuditEvents(id, undefined, 10)).map(({ event, detail, ip }) => [
      event,
      detail,
      ip,
    ]);

  it('without an administrator, accounts list says so and accounts setup-link prints a link', async () => {
    assert.match((await run('accounts list')).stderr, /there is no administrator: accounts setup-link/);
    const { stdout } = await run('accounts setup-link');
    assert.match(stdout, /^https:\/\/api\.example\.com\/setup\?token=\w{32}\n$/);
    await run('accounts create boss@example.com --admin');
    assert.equal((await run('accounts list')).stderr, '');
    const refused = await run('accounts setup-link');
    assert.deepEqual([refused.exitCode, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^There is an administrator/);
  });

  it('plans lists the plans, and warns of accounts whose plan is not configured', async () => {
    assert.match(
      (await run('plans')).stdout,
      /^PLAN +PER MINUTE +PER MONTH +DOCUMENTS AT ONCE +OTHERS AT ONCE +ACCOUNTS\nfree +60 +2 +16 +1\npro +600 +100 +0\n$/,
    );
    const { id } = await open('old-plan@example.com');
    await storage.accounts.updateAccount(id, { plan: 'gold' }, NOW);
    assert.match((await run('plans')).stderr, /these accounts: gold \(1\)/);
  });

  it('accounts show has the plan, the usage by operation, the keys and the last sign-in', async () => {
    const { id, keyId, key } = await open('shown@example.com');
    const count = (day: number, statusClass: '2xx' | '4xx', requests: number) => ({
      accountId: id,
      keyId,
      operation: 'getMetadata',
      statusClass,
      bucketSize: 'day' as const,
      bucketStartMs: Date.UTC(2026, 5, day),
      requests,
    });
    await storage.usage.addUsage({
      counts: [count(15, '2xx', 5), count(15, '4xx', 2), count(9, '2xx', 10), count(8, '2xx', 100)],
      latencies: [],
      errors: [],
      months: [
        {
          accountId: id,
          monthStartMs: Date.UTC(2026, 5),
          operation: 'getMetadata',
          requests: 17,
          errors: 2,
          units: 40,
        },
      ],
      requests: [],
      lastUsed: new Map(),
    });
    await storage.access.insertAuditEvent({
      accountId: id,
      event: 'sign_in',
      detail: '',
      requestId: null,
      ip: null,
      atMs: NOW - 5_000,
    });
    const { stdout } = await run('accounts show shown@example.com');
    assert.match(stdout, /^Plan +free: 60 requests per minute and key/m);
    assert.match(stdout, /^getMetadata +7 \(2 errors\) +17 \(2 errors\) +117 \(2 errors\)$/m);
    assert.match(stdout, new RegExp(`^${keyId} +ci +${key.prefix}…${key.lastFour} +active$`, 'm'));
    const json = await read('accounts show shown@example.com');
    assert.equal(json.last_sign_in_at, '2026-06-15T11:59:55Z');
    assert.deepEqual([json.usage.today.requests, json.usage.this_month.from], [7, '2026-06-01T00:00:00Z']);
    assert.match(stdout, /^This month +40 requests, no quota$/m);
    await storage.accounts.updateAccount(id, { plan: 'pro' }, NOW);
    assert.match(
      (await run('accounts show shown@example.com')).stdout,
      /^This month +40 of 100 requests \(40%\), resets at 2026-07-01T00:00:00Z$/m,
    );
    assert.match((await run('accounts show no@example.com')).stderr, /no account with the address/);
  });

  it('requests show finds a request by its id, with its account and key', async () => {
    const { id, keyId } = await open('logged@example.com');
    await storage.usage.addUsage({
      counts: [],
      latencies: [],
      errors: [],
      months: [],
      requests: [
        {
          accountId: id,
          keyId,
          operation: 'generatePdf',
          status: 422,
          ms: 31,
          requestId: 'abc-000001',
          atMs: NOW,
        },
      ],
      lastUsed: new Map(),
    });
    const json = await read('requests show abc-000001');
    assert.equal(json.account, 'logged@example.com');
    assert.equal(json.key_id, keyId);
    assert.deepEqual([json.operation, json.status, json.ms], ['generatePdf', 422, 31]);
    assert.match((await run('requests show abc-000001')).stdout, /^status +422$/m);
    const unknown = await run('requests show none');
    assert.deepEqual([unknown.exitCode, unknown.stdout], [1, '']);
  });

  it('accounts disable, enable and verify change the account and its audit trail', async () => {
    const { id } = await open('changed@example.com');
    await run('accounts disable changed@example.com');
    assert.equal((await storage.accounts.findAccount(id))?.disabled, true);
    await run('accounts enable changed@example.com');
    await run('accounts verify changed@example.com');
    await run('accounts verify changed@example.com');
    const account = await storage.accounts.findAccount(id);
    assert.deepEqual([account?.disabled, account?.emailVerified], [false, true]);
    assert.deepEqual(await listEvents(id), [
      ['email.verified', 'by the operator', null],
      ['account.enabled', 'by the operator', null],
      ['account.disabled', 'by the operator', null],
    ]);
    assert.match((await run('accounts disable boss@example.com')).stderr, /only administrator/);
  });

  it('accounts reset-link prints a link that does not verify the address', async () => {
    const { id } = await open('locked-out@example.com');
    const { url } = await read('accounts reset-link locked-out@example.com');
    const [, token] = /^https:\/\/api\.example\.com\/reset-password\?token=(\w{32})$/.exec(url) ?? [];
    const { hash } = await import('node:crypto');
    const reset = {
      tokenHash: hash('sha256', token ?? '', 'base64url'),
      passwordHash: 'x',
      requestId: 'r',
      ip: null,
      nowMs: NOW + 1,
    };
    assert.equal((await storage.access.resetPassword(reset))?.accountId, id);
    assert.equal((await storage.accounts.findAccount(id))?.emailVerified, false);
    assert.deepEqual((await listEvents(id)).at(-1), ['password.reset_link_created', 'by the operator', null]);
  });

  it('accounts delete needs --yes, deletes the account, and keeps the last administrator', async () => {
    await open('doomed@example.com');
    const asked = await run('accounts delete doomed@example.com');
    assert.equal(asked.exitCode, 2);
    assert.match(asked.stderr, /deletes doomed@example\.com with 1 working key, for good: add --yes/);
    assert.match((await run('accounts delete doomed@example.com --yes')).stdout, /^Deleted the account/);
    assert.equal(await storage.accounts.findAccountByEmail('doomed@example.com'), null);
    assert.match((await run('accounts delete boss@example.com --yes')).stderr, /only administrator/);
  });

  it('invitations are created, listed and revoked', async () => {
    const { url } = await read('invitations create --email new@example.com');
    assert.match(url, /^https:\/\/api\.example\.com\/sign-up\?invite=\w{32}&email=new%40example\.com$/);
    const [listed] = await read('invitations list');
    assert.deepEqual(
      [listed.email, listed.state, listed.created_by, listed.expires_at],
      ['new@example.com', 'pending', 'operator', '2026-06-22T12:00:00Z'],
    );
    assert.match(listed.id, /^inv_/, 'not taken for an option');
    assert.match((await run('invitations list')).stdout, /^ID +FOR +STATE +BY +CREATED +EXPIRES\n/);
    assert.equal((await run(`invitations revoke ${listed.id}`)).exitCode, 0);
    assert.equal((await run(`invitations revoke ${listed.id}`)).exitCode, 1);
    assert.deepEqual(await read('invitations list'), []);
  });

  it('health shows each part, and exits with 1 if one does not work', async () => {
    const { stdout, exitCode } = await run('health');
    assert.equal(exitCode, 0, stdout);
    assert.match(stdout, /^database +ok +SQLite in .*, \d+\.\d MB$/m);
    assert.match(stdout, /^service +ok +ready, http:\/\/127\.0\.0\.1:3000$/m);
    assert.match(stdout, /^service: browser +ok +slots 4$/m);
    readiness = null;
    assert.equal((await run('health')).exitCode, 1);
    readiness = { ...READY, parts: { browser: { ok: false, reason: 'it does not start' } } };
    const failed = await run('health');
    assert.equal(failed.exitCode, 1);
    assert.match(failed.stdout, /^service: browser +fails +it does not start$/m);
    readiness = READY;
  });
});

describe('the state of the running service', () => {
  it('is read from /readyz; null if nothing or another server responds', async () => {
    let body = JSON.stringify({ status: 'draining', parts: { database: { ok: true } } });
    const server = createServer((request, response) => {
      assert.equal(request.url, '/readyz');
      assert.equal(request.headers.authorization, 'Bearer of the operator');
      response.writeHead(503).end(body);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = formatLocalUrl({ host: '0.0.0.0', port: (server.address() as AddressInfo).port });
    assert.deepEqual(await readReadiness(url, 'of the operator'), { url, ...JSON.parse(body) });
    body = '<h1>Not the service</h1>';
    assert.equal(await readReadiness(url, 'of the operator'), null);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.equal(await readReadiness(url, 'of the operator'), null);
  });

  it('the address to reach it is one that a client can use', () => {
    assert.equal(formatLocalUrl({ host: '::', port: 3000 }), 'http://[::1]:3000');
    assert.equal(formatLocalUrl({ host: '127.0.0.1', port: 80 }), 'http://127.0.0.1:80');
  });
});
