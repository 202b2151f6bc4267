/** Monthly quotas of the real service: refusals, batches, tools, the form of the dashboard, plans, emails. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { createAccount, createKey, hashKeySecret } from '#accounts';
import { computeQuotaMonth } from '#limits';
import type { FastifyBaseLogger } from 'fastify';
import { openAccountClient } from '../support/account-client.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { scaledMs } from '../support/patience.ts';

const PATH = '/v1/email/validate?email=a@b.invalid';
/** 10 days and half a second before the end of the month. */
const NOW = Date.UTC(2030, 3, 20, 23, 59, 59, 500);
const RETRY_AFTER = String(10 * 86_400 + 1);
const QUOTAS = { PLANS: 'free=60,tiny=2,pro=600', MONTHLY_QUOTAS: 'free=5,tiny=5' };

const PLAN = { limitPerMinute: 2, slots: null };

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const batch = (count: number) => post({ emails: Array.from({ length: count }, () => 'a@b.invalid') });
const readMessage = async (response: Response): Promise<string> =>
  ((await response.json()) as { message: string }).message;

describe('a monthly quota', () => {
  let service: TestApp;
  before(async () => {
    service = await startApp(QUOTAS, { now: () => NOW });
  });
  after(() => service[Symbol.asyncDispose]());

  it('refuses with 429 until the month ends, and the refusal uses nothing of the minute', async () => {
    const key = await service.createKey('free');
    for (let times = 0; times < 5; times += 1) assert.equal((await service.call(PATH, key)).status, 200);
    for (const target of [PATH, '/v1/nothing']) {
      const refused = await service.call(target, key);
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get('retry-after'), RETRY_AFTER);
      assert.equal(refused.headers.get('x-ratelimit-limit'), '60');
      assert.equal(refused.headers.get('x-ratelimit-remaining'), '55');
      const body = (await refused.json()) as { error: string; message: string };
      assert.equal(body.error, 'rate_limit_exceeded');
      assert.match(
        body.message,
        /^The monthly quota of the account, 5 requests, is used up\. It resets on 2030-05-01, 00:00 UTC:/,
      );
    }
  });

  it('admits the further documents of a PDF as a whole or not at all', async () => {
    const key = await service.createKey('free');
    const send = (documents: number) => {
      const more_documents = Array.from({ length: documents - 1 }, () => ({ html: '<p>x' }));
      return service.call('/v1/pdf/generate', key, post({ html: '<p>x', more_documents }));
    };
    const getLeft = (response: Response) => response.headers.get('x-ratelimit-remaining');
    // This service has no browser, so that an admitted PDF is 503.
    const admitted = await send(3);
    assert.deepEqual([admitted.status, getLeft(admitted)], [503, '57']);
    const refused = await send(3);
    assert.deepEqual([refused.status, getLeft(refused)], [429, '56']);
    assert.equal(refused.headers.get('retry-after'), RETRY_AFTER);
    assert.match(
      await readMessage(refused),
      /^The documents of more_documents need 2 requests of the monthly quota of the account, and 1 of 5 are left until it resets on 2030-05-01, 00:00 UTC: send fewer documents, or/,
    );
    assert.deepEqual([(await send(1)).status, (await send(1)).status], [503, 429]);
  });

  it('admits a batch as a whole or not at all', async () => {
    const key = await service.createKey('free');
    const send = (count: number) => service.call('/v1/email/validate/batch', key, batch(count));
    assert.equal((await send(3)).status, 200);
    const refused = await send(4);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), RETRY_AFTER);
    assert.match(
      await readMessage(refused),
      /^The batch needs 4 requests of the monthly quota of the account, and 2 of 5 are left until it resets on 2030-05-01/,
    );
    assert.equal((await send(2)).status, 200, 'the refused batch used nothing');
    const last = await send(1);
    assert.equal(last.status, 429);
    assert.match(await readMessage(last), /is used up/);
  });

  it('counts all keys of the account together, and what the rate limit refuses not at all', async () => {
    const { accounts, keys } = service.app.storage;
    const owner = { email: 'owner@example.com', plan: 'tiny' };
    const { id: accountId } = await createAccount(accounts, new Map([['tiny', PLAN]]), owner, NOW);
    const create = () => createKey(keys, { accountId, name: 'test' }, NOW);
    const [first, second, third] = [await create(), await create(), await create()];
    const send = async ({ secret }: { secret: string }) => (await service.call(PATH, secret)).status;
    const statuses = [];
    for (const key of [first, first, first, first, second, second, third]) statuses.push(await send(key));
    assert.deepEqual(statuses, [200, 200, 429, 429, 200, 200, 200]);
    const refused = await service.call(PATH, third.secret);
    assert.match(await readMessage(refused), /monthly quota/);
  });

  it('ends with a plan that has none, within 5 s', async () => {
    const key = await service.createKey('free');
    for (let times = 0; times < 5; times += 1) await service.call(PATH, key);
    assert.equal((await service.call(PATH, key)).status, 429);
    const { accounts, keys } = service.app.storage;
    const grant = await keys.findKeyBySecretHash(hashKeySecret(key));
    await accounts.updateAccount(grant?.key.accountId ?? '', { plan: 'pro' }, NOW);
    assert.equal((await service.call(PATH, key)).status, 200);
  });
});

describe('a monthly quota over two replicas', () => {
  const lines: string[] = [];
  // By the clock of the machine, like sessions.
  let here: TestApp;
  let there: TestApp;
  before(async () => {
    const log = (...args: unknown[]): void => {
      const line = args.find((arg) => typeof arg === 'string');
      if (line?.startsWith('mail to')) lines.push(line);
    };
    const names = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'child'];
    const logger = Object.fromEntries(names.map((name) => [name, log])) as unknown as FastifyBaseLogger;
    const settings = { ...QUOTAS, PUBLIC_URL: 'https://api.example' };
    here = await startApp(settings, { logger });
    there = await startApp({ ...settings, DATA_DIR: here.dataDir }, { logger });
  });
  after(async () => {
    await there[Symbol.asyncDispose]();
    await here[Symbol.asyncDispose]();
  });

  it('is refused by each within 5 s of being used up on the other; one email each at 80% and at 100%', async () => {
    const key = await here.createKey('free');
    assert.equal((await there.call(PATH, key)).status, 200);
    for (let times = 0; times < 3; times += 1) assert.equal((await here.call(PATH, key)).status, 200);
    while (lines.length === 0) await delay(20);
    assert.match(
      lines[0] ?? '',
      /^mail to \S+@example\.com .*80% of your monthly quota is used\n.*4 of 5 requests/s,
    );
    const startedAtMs = performance.now();
    assert.equal((await here.call(PATH, key)).status, 200);
    for (const replica of [there, here])
      while ((await replica.call(PATH, key)).status !== 429) await delay(250);
    assert.ok(performance.now() - startedAtMs < scaledMs(5_000));
    while (lines.length < 2) await delay(20);
    assert.match(lines[1] ?? '', /quota is used up\n.*\d of 5 requests.*https:\/\/api\.example\/usage/s);
  });

  it('counts calls over /mcp and of the form of the dashboard, and the account shows it', async () => {
    const client = await openAccountClient(here.url, [(await here.app.createSetupLink()) ?? '']);
    const { id, secret } = await client.createKey(here.url);
    const tool = () =>
      here.call(
        '/mcp',
        secret,
        post({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'validateEmail', arguments: { email: 'a@b.invalid' } },
        }),
      );
    const form = () =>
      client.send('POST', `${here.url}/account/try/validateEmail?key_id=${id}`, { email: 'a@b.invalid' });
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await form()).status, 200);
      assert.match(await (await tool()).text(), /"isError":false|structuredContent/);
    }
    assert.equal((await here.call(PATH, secret)).status, 200);
    assert.equal((await form()).status, 429);
    assert.match(await (await tool()).text(), /monthly quota of the account, 5 requests, is used up/);
    const shown = async () =>
      (await client.send('GET', `${here.url}/account/usage/quota`)).body as { used: number };
    while ((await shown()).used < 5) await delay(20);
    const { startMs, endMs } = computeQuotaMonth(Date.now());
    assert.deepEqual(await shown(), {
      month_start: new Date(startMs).toISOString(),
      resets_at: new Date(endMs).toISOString(),
      used: 5,
      quota: 5,
      remaining: 0,
    });
    const page = readFileSync(new URL('../../docs/guides/limits.md', import.meta.url), 'utf8');
    const [example = ''] = /^\{"month_start".*$/m.exec(page) ?? [];
    assert.deepEqual(Object.keys(JSON.parse(example) as object), Object.keys(await shown()), 'limits.md');
    const plan = (await client.send('GET', `${here.url}/account/plan`)).body as {
      monthly_quota: unknown;
      plans: { monthly_quota: unknown }[];
    };
    assert.deepEqual([plan.monthly_quota, plan.plans.map((one) => one.monthly_quota)], [5, [5, 5, null]]);
  });
});
