/** Promises about a service whose PostgreSQL server fails, seen from its HTTP interface. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createKeySecret } from '#accounts';
import { openPostgresServer, skipPostgres, type TestPostgres } from '../../support/postgres.ts';
import { sampleTests } from '../../support/sample.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { type Fault, openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { patientMs, scaledMs } from '../../support/patience.ts';

const PATH = '/v1/email/validate?email=ann@example.com&check_mx=false';
/** The time after which a service works again. */
const RECOVERY_MS = scaledMs(5_000);

/** Half of the tests about faults run, and all with TEST_FULL=1. */
const itSampled = sampleTests(2);

describe('while PostgreSQL fails', { skip: skipPostgres, concurrency: 4 }, () => {
  let server: TestPostgres;
  before(async () => {
    server = await openPostgresServer();
  });
  after(() => server[Symbol.asyncDispose]());

  for (const fault of ['refuse', 'lose', 'reset', 'delay'] as const)
    itSampled(
      `(${fault}) known keys work for 60 s, unknown ones are 503, and the service recovers within 5 s`,
      async () => {
        const clock = { shiftMs: 0 };
        await withService(server, clock, async (service, proxy) => {
          const key = await createKnownKey(service);
          await fail(service, proxy, fault);
          await assertKnownKeyWorks(service, key);
          // The cached row is too old to be used without a query now.
          clock.shiftMs += 6_000;
          await assertKnownKeyWorks(service, key);
          await assertUnavailable(service);
          await assertNothingConfirmed(service);
          clock.shiftMs += 61_000;
          await assertRefused(await service.call(PATH, key));
          await proxy.set('pass');
          await recover(service);
          assert.equal((await service.call(PATH, key)).status, 200);
          assert.equal((await service.call(PATH, createKeySecret())).status, 401);
        });
      },
    );

  it('(flapping) a known key always works, and an unknown one is 401 or 503', async () => {
    await withService(server, { shiftMs: 0 }, async (service, proxy) => {
      const key = await createKnownKey(service);
      const statuses = new Set<number>();
      for (let n = 0; n < 20; n += 1) {
        await proxy.set(n % 2 ? 'pass' : n % 4 ? 'reset' : 'refuse');
        for (let calls = 0; calls < 5; calls += 1) {
          assert.equal((await service.call(PATH, key)).status, 200);
          statuses.add((await service.call(PATH, createKeySecret())).status);
          await delay(40);
        }
      }
      await proxy.set('pass');
      await recover(service);
      assert.deepEqual(
        [...statuses].filter((status) => status !== 401 && status !== 503),
        [],
      );
      assert.equal((await service.call(PATH, createKeySecret())).status, 401);
    });
  });

  it('usage is kept and written afterwards, each request once', async () => {
    await withService(server, { shiftMs: 0 }, async (service, proxy) => {
      const key = await createKnownKey(service);
      for (let n = 0; n < 2; n += 1) await service.call(PATH, key);
      await proxy.set('refuse');
      for (let n = 0; n < 20; n += 1) assert.equal((await service.call(PATH, key)).status, 200);
      await delay(1_200);
      await proxy.set('pass');
      await recover(service);
      assert.equal(await untilCounted(service, 23), 23);
    });
  });

  it('usage whose acknowledgement is lost is counted once', async () => {
    await withService(server, { shiftMs: 0 }, async (service, proxy, databaseUrl) => {
      const key = await createKnownKey(service);
      assert.equal(await untilCounted(service, 1), 1);
      for (let n = 0; n < 5; n += 1) await service.call(PATH, key);
      // The acknowledgement would arrive 400 ms after the statement.
      await proxy.set('delay', 400);
      assert.equal(await untilCommitted(server, databaseUrl, 6), 6, 'it is stored');
      await proxy.set('reset');
      await proxy.set('pass');
      await recover(service);
      await service.call(PATH, key);
      assert.equal(await untilCounted(service, 7), 7);
    });
  });
});

async function withService(
  server: TestPostgres,
  clock: { shiftMs: number },
  act: (service: TestApp, proxy: TcpProxy, databaseUrl: string) => Promise<void>,
): Promise<void> {
  const databaseUrl = await server.createDatabase();
  const url = new URL(databaseUrl);
  await using proxy = await openTcpProxy({
    targetPort: Number(url.port || 5432),
    targetHost: url.hostname,
  });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const now = (): number => Date.now() + clock.shiftMs;
  await using service = await startApp({ DATABASE_URL: url.href }, { now });
  while (service.app.storage.getKeyWatch().confirmedAtMs === 0) await delay(20);
  await act(service, proxy, databaseUrl);
}

/** Creates a key and uses it. A notice of its creation removes it from the cache: waits for that before. */
async function createKnownKey(service: TestApp): Promise<string> {
  const key = await service.createKey();
  const { getKeyWatch } = service.app.storage;
  for (const { confirmedAtMs } = getKeyWatch(); getKeyWatch().confirmedAtMs === confirmedAtMs;)
    await delay(20);
  assert.equal((await service.call(PATH, key)).status, 200);
  return key;
}

/** Makes the database fail, and waits until the service has noticed. */
async function fail(service: TestApp, proxy: TcpProxy, fault: Fault): Promise<void> {
  await proxy.set(fault);
  const startMs = performance.now();
  while (await service.app.storage.isHealthy()) await delay(20);
  assert.ok(performance.now() - startMs < RECOVERY_MS);
}

/** Calls 20 times. One call that waits for a server that does not reply is allowed to, not each of them. */
async function assertKnownKeyWorks(service: TestApp, key: string): Promise<void> {
  const startMs = performance.now();
  for (let calls = 0; calls < 20; calls += 1) assert.equal((await service.call(PATH, key)).status, 200);
  const ms = performance.now() - startMs;
  assert.ok(ms < scaledMs(8_000), `20 calls took ${ms} ms`);
}

/** A silent connection confirms no key: two intervals of the heartbeat pass. */
async function assertNothingConfirmed({ app: { storage } }: TestApp): Promise<void> {
  const { confirmedAtMs } = storage.getKeyWatch();
  await delay(2_100);
  assert.equal(storage.getKeyWatch().confirmedAtMs, confirmedAtMs);
}

async function assertUnavailable(service: TestApp): Promise<void> {
  await assertRefused(await service.call(PATH, createKeySecret()));
  const startMs = performance.now();
  const ready = await service.call('/readyz');
  assert.ok(performance.now() - startMs < scaledMs(2_000));
  assert.equal(ready.status, 503);
  const { parts } = (await ready.json()) as { parts: Record<string, { ok: boolean; reason?: string }> };
  assert.deepEqual(parts['database'], {
    required: true,
    ok: false,
    reason: 'the database does not respond',
  });
  assert.equal((await service.call('/healthz')).status, 200);
  const signIn = await service.call('/account/sign-in', null, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ email: 'ann@example.com', password: 'correct horse battery' }),
  });
  await assertRefused(signIn);
}

async function assertRefused(response: Response): Promise<void> {
  const body = (await response.json()) as { error: string; message: string };
  assert.deepEqual([response.status, body.error], [503, 'unavailable'], body.message);
  assert.match(body.message, /^The database is not available/);
  assert.equal(response.headers.get('retry-after'), '5');
}

async function recover(service: TestApp): Promise<void> {
  const startMs = performance.now();
  while ((await service.call('/readyz')).status !== 200) {
    assert.ok(performance.now() - startMs < RECOVERY_MS, 'it recovers within 5 s');
    await delay(20);
  }
}

/** Returns the number of stored requests when there are `expected`, or after a long time. */
async function untilCounted(service: TestApp, expected: number): Promise<number> {
  return poll(expected, async () => {
    const [account] = await service.app.storage.accounts.listAccounts({ limit: 1, nowMs: 0 });
    const query = { accountId: account?.id ?? '', bucketSize: 'day', fromMs: 0, toMs: 9e15 } as const;
    const counts = await service.app.storage.usage.listUsage(query);
    return counts.reduce((sum, { requests }) => sum + requests, 0);
  });
}

/** Counts over a connection that does not fail. */
async function untilCommitted(server: TestPostgres, databaseUrl: string, expected: number): Promise<number> {
  return poll(expected, async () => {
    const rows = await server.query(
      `select sum(requests)::integer as sum from usage_counts where bucket_size = 'day'`,
      databaseUrl,
    );
    return Number(rows[0]?.['sum'] ?? 0);
  });
}

async function poll(expected: number, count: () => Promise<number>): Promise<number> {
  for (const until = performance.now() + patientMs(3_000); ; await delay(10)) {
    const found = await count();
    if (found >= expected || performance.now() > until) return found;
  }
}
