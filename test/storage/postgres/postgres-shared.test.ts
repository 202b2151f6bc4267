/** Promises about several processes on one PostgreSQL database: each storage here has its own connections. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createAccount, createKey, hashKeySecret, MAX_LIVE_KEYS, rotateKey } from '#accounts';
import { openStorage, type Storage } from '#storage';
import { createUsageRecorder, type UsageBatch } from '#usage';
import { openPostgresServer, skipPostgres, type TestPostgres } from '../../support/postgres.ts';
import { patientMs, scaledMs } from '../../support/patience.ts';

const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);
const NOW = Date.UTC(2026, 5, 1, 12);

describe('several processes on one PostgreSQL database', { skip: skipPostgres }, () => {
  let server: TestPostgres;
  let url: string;
  let here: Storage;
  let there: Storage;
  const open = (changes: { url?: string; statementTimeoutMs?: number } = {}): Promise<Storage> =>
    openStorage({
      dataDir: '',
      postgres: { url, poolSize: 5, statementTimeoutMs: 5_000, now: Date.now, ...changes },
    });
  before(async () => {
    server = await openPostgresServer();
    url = await server.createDatabase();
    [here, there] = [await open(), await open()];
  });
  after(async () => {
    await here.close();
    await there.close();
    await server[Symbol.asyncDispose]();
  });

  let accounts = 0;
  const createOwner = () =>
    createAccount(here.accounts, plans, { email: `owner${accounts++}@example.com` }, NOW);
  const countFulfilled = async (acts: Promise<unknown>[]): Promise<number> =>
    (await Promise.allSettled(acts)).filter(({ status }) => status === 'fulfilled').length;

  it('ten that open an empty database at once all succeed, and each migration runs once', async () => {
    const empty = await server.createDatabase();
    const storages = await Promise.all(Array.from({ length: 10 }, () => open({ url: empty })));
    const files = await readdir(new URL('../../../src/storage/sql/migrations/', import.meta.url));
    assert.equal((await run(empty, 'select name from kysely_migration')).length, files.length);
    assert.equal((await run(empty, 'select id from key_changes')).length, 1);
    await Promise.all(storages.map((storage) => storage.close()));
  });

  it('store exactly 20 of 60 keys of one account together', async () => {
    const { id: accountId } = await createOwner();
    const created = await countFulfilled(
      Array.from({ length: 60 }, (_, n) =>
        createKey((n % 2 ? here : there).keys, { accountId, name: 'k' }, NOW),
      ),
    );
    assert.equal(created, MAX_LIVE_KEYS);
    assert.equal(await here.keys.countLiveKeys(accountId, NOW), MAX_LIVE_KEYS);
  });

  it('rotate a key once together', async () => {
    const { id: accountId } = await createOwner();
    const { key } = await createKey(here.keys, { accountId, name: 'k' }, NOW);
    const rotations = Array.from({ length: 10 }, (_, n) =>
      rotateKey((n % 2 ? here : there).keys, key, 1, NOW + 1),
    );
    assert.equal(await countFulfilled(rotations), 1);
    assert.equal((await here.keys.listKeys(accountId)).length, 2);
  });

  it('use a link once together, whatever it is for', async () => {
    for (const purpose of ['invite', 'setup', 'verify'] as const) {
      const link = { tokenHash: purpose, purpose, email: null, expiresAtMs: NOW + 1 };
      await here.access.insertLink(link);
      const used = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).access.useLink(purpose, purpose, NOW)),
      );
      assert.equal(used.filter((one) => one !== null).length, 1, purpose);
    }
  });

  it('make one account the first administrator together', async () => {
    const owners = await Promise.all(Array.from({ length: 10 }, createOwner));
    const results = await Promise.all(
      owners.map(({ id }, n) => (n % 2 ? here : there).accounts.makeFirstAdmin(id, NOW)),
    );
    assert.equal(results.filter(Boolean).length, 1);
  });

  it('reset a password once together, and create no key of a session that the reset ends', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id: accountId, email } = await createOwner();
      const sessionId = `session ${round}`;
      await run(
        url,
        `insert into sessions (id, account_id, token_hash, expires_at, created_at, updated_at)
         values ('${sessionId}', '${accountId}', '${sessionId}', 9e12, 0, 0)`,
      );
      const tokenHash = `reset ${round}`;
      await here.access.insertLink({ tokenHash, purpose: 'reset', email, expiresAtMs: NOW + 1_000 });
      const create = (n: number) =>
        createKey((n % 2 ? here : there).keys, { accountId, name: 'k', sessionId }, NOW);
      const [resets] = await Promise.all([
        Promise.all(
          [here, there, here, there].map(({ access }) =>
            access.resetPassword({ tokenHash, passwordHash: 'x', requestId: 'r', ip: null, nowMs: NOW }),
          ),
        ),
        Promise.allSettled(Array.from({ length: 10 }, (_, n) => create(n))),
      ]);
      assert.equal(resets.filter((one) => one !== null).length, 1);
      // Keys that were created before the reset are revoked by it.
      assert.equal(await here.keys.countLiveKeys(accountId, NOW), 0);
    }
  });

  it('a password reset ends a session that another process is creating', async () => {
    const { id: accountId, email } = await createOwner();
    await here.access.insertLink({ tokenHash: 'late', purpose: 'reset', email, expiresAtMs: NOW + 1_000 });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('begin');
    await client.query(
      `insert into sessions (id, account_id, token_hash, expires_at, created_at, updated_at)
       values ('late', '${accountId}', 'late', 9e12, 0, 0)`,
    );
    const reset = there.access.resetPassword({
      tokenHash: 'late',
      passwordHash: 'x',
      requestId: 'r',
      ip: null,
      nowMs: NOW,
    });
    // Until the reset waits, or, if it does not, has ended.
    await Promise.race([reset, untilLockWait(url)]);
    await client.query('commit');
    await client.end();
    assert.ok(await reset);
    assert.deepEqual(await run(url, "select id from sessions where id = 'late'"), []);
  });

  it('change a password from one old value once together', async () => {
    const account = { ...(await createOwner()), id: 'acc_password', email: 'password@example.com' };
    await here.accounts.insertAccount(account, 'old');
    const changes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? here : there).access.changePassword({
          email: account.email,
          oldHash: 'old',
          newHash: `new ${n}`,
          nowMs: NOW,
        }),
      ),
    );
    assert.equal(changes.filter(Boolean).length, 1);
  });

  it('get the same generated secret', async () => {
    const secrets = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).access.findOrCreateSecret('s', `${n}`)),
    );
    assert.equal(new Set(secrets).size, 1);
  });

  it('delete an account beside the creation of its keys: none is left', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id: accountId } = await createOwner();
      await Promise.all([
        Promise.allSettled(
          Array.from({ length: 5 }, () => createKey(here.keys, { accountId, name: 'k' }, NOW)),
        ),
        there.accounts.deleteAccount(accountId),
      ]);
      assert.equal((await here.keys.listKeys(accountId)).length, 0);
    }
  });

  it('hear of a change of keys within a second, and of which account', async () => {
    const { id: accountId } = await createOwner();
    const { key } = await createKey(here.keys, { accountId, name: 'k' }, NOW);
    await untilWatching(there);
    await delay(50);
    const heard = Promise.race([
      new Promise<string | null>((resolve) => there.onKeyChange(resolve)),
      delay(patientMs(5_000), null, { ref: false }),
    ]);
    const startMs = performance.now();
    await here.keys.revokeKey(key.id, NOW);
    assert.equal(await heard, accountId);
    assert.ok(performance.now() - startMs < scaledMs(1_000));
  });

  it('hear of a change when it commits, and never of one that was rolled back', async () => {
    await untilWatching(there);
    let notices = 0;
    there.onKeyChange(() => (notices += 1));
    const { id: accountId } = await createOwner();
    const request = { accountId, name: 'k', sessionId: 'none' };
    await assert.rejects(createKey(here.keys, request, NOW), { code: 'unauthorized' });
    const last = there.getKeyWatch().confirmedAtMs;
    while (there.getKeyWatch().confirmedAtMs === last) await delay(20);
    assert.equal(notices, 0);
  });

  it('write the same rows of usage at once without a deadlock and without loss', async () => {
    const storages = await Promise.all(Array.from({ length: 8 }, () => open()));
    const { id: accountId } = await createOwner();
    // Stored in an order of their own, and many, so that statements overlap.
    await run(
      url,
      `insert into api_keys (id, account_id, limit_id, secret_hash, name, prefix, last_four, created_at)
       select md5(n::text), '${accountId}', '', md5(n::text), '', '', '', 0 from generate_series(1, 800) as n`,
    );
    const ids = (await here.keys.listKeys(accountId)).map(({ id }) => id);
    const writeAll = (keyIds: readonly string[], getUsed: (atMs: number) => ReadonlyMap<string, number>) =>
      Promise.all(
        storages.map(async (storage, n) => {
          // Each process has the rows in another order.
          const rows = n % 2 ? keyIds : keyIds.toReversed();
          for (let round = 0; round < 5; round += 1)
            await storage.usage.addUsage({
              ...createBatch(accountId, rows, NOW),
              // One row that all write would make them wait for each other before the others.
              latencies: [],
              lastUsed: getUsed(NOW + round),
            });
        }),
      );
    await writeAll(ids, (atMs) => new Map(ids.map((id) => [id, atMs])));
    await writeAll(ids, () => new Map());
    const query = { accountId, bucketSize: 'hour', fromMs: 0, toMs: NOW * 2 } as const;
    const counts = await here.usage.listUsage(query);
    assert.deepEqual(
      counts.map(({ requests }) => requests),
      ids.map(() => 80),
    );
    assert.equal((await here.keys.findKey(ids[0] ?? ''))?.key.lastUsedAtMs, NOW + 4);
    const statistics = 'select deadlocks::integer from pg_stat_database where datname = current_database()';
    assert.deepEqual(await run(url, statistics), [{ deadlocks: 0 }]);
    await Promise.all(storages.map((storage) => storage.close()));
  });

  it('store the usage of a second in one statement: 1,500 keys with their last use', async () => {
    let statements = 0;
    const addUsage = (batch: UsageBatch): Promise<void> => {
      statements += 1;
      return here.usage.addUsage(batch);
    };
    const recorder = createUsageRecorder({
      store: { ...here.usage, addUsage, pruneUsage: async () => {} },
      now: () => NOW,
      flushIntervalMs: 3_600_000,
    });
    const request = { accountId: 'acc_busy', operation: 'o', status: 200, ms: 1, requestId: 'r', atMs: NOW };
    for (let n = 0; n < 1_500; n += 1) recorder.record({ ...request, keyId: `${n}` });
    await recorder.close();
    assert.equal(statements, 1);
    const query = { accountId: 'acc_busy', bucketSize: 'hour', fromMs: 0, toMs: NOW * 2 } as const;
    assert.equal((await here.usage.listUsage(query)).length, 1_500);
  });

  it('count a batch of usage once that is added again', async () => {
    const batch = createBatch('acc_again', ['k'], NOW);
    for (let n = 0; n < 3; n += 1) await here.usage.addUsage(batch);
    await here.usage.addUsage(createBatch('acc_again', ['k'], NOW));
    const counts = await here.usage.listUsage({
      accountId: 'acc_again',
      bucketSize: 'hour',
      fromMs: 0,
      toMs: NOW * 2,
    });
    assert.deepEqual(
      counts.map(({ requests }) => requests),
      [2],
    );
  });

  it('keep the id of the last batch only: ids of batches that are known to be stored are deleted', async () => {
    const own = await server.createDatabase();
    const writer = await open({ url: own });
    for (let n = 0; n < 20; n += 1) await writer.usage.addUsage(createBatch('acc_ids', ['k'], NOW));
    assert.equal((await run(own, 'select id from usage_batches')).length, 1);
    await writer.close();
  });

  it('a statement that waits for a lock for too long is 503, and the connection works afterwards', async () => {
    const impatient = await open({ statementTimeoutMs: 200 });
    const { id } = await createOwner();
    const blocker = await lockRow(url, id);
    await assert.rejects(impatient.accounts.updateAccount(id, { disabled: true }, NOW), {
      code: 'unavailable',
      retryAfterSeconds: 5,
    });
    assert.ok(await impatient.isHealthy(), 'a timeout is no outage');
    await blocker();
    assert.equal((await impatient.accounts.updateAccount(id, { disabled: true }, NOW))?.disabled, true);
    await impatient.close();
  });

  it('find keys while every connection of the pool waits', async () => {
    const busy = await open();
    const { id: accountId } = await createOwner();
    const { secret } = await createKey(here.keys, { accountId, name: 'k' }, NOW);
    const blocker = await lockRow(url, accountId);
    const waiting = Promise.allSettled(
      Array.from({ length: 5 }, () => busy.accounts.updateAccount(accountId, { disabled: false }, NOW)),
    );
    assert.ok(await busy.keys.findKeyBySecretHash(hashKeySecret(secret)));
    await blocker();
    await waiting;
    await busy.close();
  });

  it('values with U+0000 are searched for without an error', async () => {
    assert.equal(await here.keys.findKey('key_\0'), null);
    assert.deepEqual(await here.accounts.listAccounts({ query: '\0', limit: 1, nowMs: NOW }), []);
  });

  it('a database that does not exist is an error with its place and the reason, without the password', async () => {
    const missing = Object.assign(new URL(url), { pathname: '/missing', password: 'hidden' }).href;
    await assert.rejects(open({ url: missing }), (error: Error) => {
      assert.match(
        error.message,
        /^PostgreSQL at .*, database missing cannot be used: .*"missing" does not exist\.$/,
      );
      assert.doesNotMatch(error.message, /hidden/);
      return true;
    });
    assert.match(here.description, /^PostgreSQL at [^@]+:\d+, database test_\w+$/);
  });
});

function createBatch(accountId: string, keyIds: readonly string[], atMs: number): UsageBatch {
  return {
    counts: keyIds.map((keyId) => ({
      accountId,
      keyId,
      operation: 'o',
      statusClass: '2xx',
      bucketSize: 'hour',
      bucketStartMs: NOW,
      requests: 1,
    })),
    latencies: [
      { accountId, operation: 'o', bucketSize: 'hour', bucketStartMs: NOW, ms: 5, requests: keyIds.length },
    ],
    errors: [],
    months: [],
    requests: [],
    lastUsed: new Map(keyIds.map((id) => [id, atMs])),
  };
}

async function untilWatching(storage: Storage): Promise<void> {
  while (storage.getKeyWatch().confirmedAtMs === 0) await delay(20);
}

/** Runs a statement on a connection of its own, and returns its rows. */
async function run(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

/** Resolves when a connection waits for a lock. */
async function untilLockWait(url: string): Promise<void> {
  const waiting = `select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await run(url, waiting)).length === 0) await delay(10);
}

/** Locks an account's row until the returned function is called. */
async function lockRow(url: string, accountId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('select id from accounts where id = $1 for update', [accountId]);
  return () => client.end();
}
