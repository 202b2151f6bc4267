/** Promises about keys when the server is killed, and when only the notices of changes fail. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createAccount,
  createKey,
  createKeyAuthenticator,
  hashKeySecret,
  type KeyAuthenticator,
} from '#accounts';
import { ApiError } from '#errors';
import { openStorage, type Storage } from '#storage';
import { type OwnPostgres, skipOwnPostgres, startPostgres } from '../../support/postgres.ts';
import { waitUntil } from '../../support/replicas.ts';
import { patientMs, scaledMs } from '../../support/patience.ts';

const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);
const NOW = Date.now();
const RECOVERY_MS = scaledMs(5_000);
const ROUNDS = process.env['TEST_FULL'] === '1' ? 20 : 2;

describe('keys in PostgreSQL', { skip: skipOwnPostgres }, () => {
  let server: OwnPostgres;
  let url: string;
  let here: Storage;
  let there: Storage;
  let keys: KeyAuthenticator;
  let queries = 0;
  let shiftMs = 0;
  const now = (): number => Date.now() + shiftMs;
  const open = (): Promise<Storage> =>
    openStorage({
      dataDir: '',
      postgres: { url, poolSize: 5, statementTimeoutMs: 5_000, now },
    });
  before(async () => {
    server = await startPostgres({ isDurable: true });
    url = await server.createDatabase();
    [here, there] = [await open(), await open()];
    keys = createKeyAuthenticator({
      store: {
        findKey: there.keys.findKey,
        findKeyBySecretHash: (secretHash) => {
          queries += 1;
          return there.keys.findKeyBySecretHash(secretHash);
        },
      },
      plans,
      now,
      getWatch: there.getKeyWatch,
    });
    there.onKeyChange((accountId) => keys.forget(accountId));
    while (there.getKeyWatch().confirmedAtMs === 0) await delay(20);
  });
  after(async () => {
    await here.close();
    await there.close();
    await server[Symbol.asyncDispose]();
  });

  let accounts = 0;
  async function createAnyKey() {
    const { id } = await createAccount(here.accounts, plans, { email: `k${accounts++}@example.com` }, NOW);
    return createKey(here.keys, { accountId: id, name: 'k' }, NOW);
  }
  /** Waits until the key is accepted, or refused, by the other process; returns the milliseconds. */
  async function until(isLive: boolean, secret: string): Promise<number> {
    const startMs = performance.now();
    while (((await keys.authenticate(secret)) !== null) !== isLive) {
      assert.ok(performance.now() - startMs < patientMs(10_000));
      await delay(10);
    }
    return performance.now() - startMs;
  }
  /** Ends the connections on which processes listen, as a failed network does. */
  const endListeners = (): Promise<unknown> =>
    server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where query in ('listen utility_api_keys', 'select 1') and pid <> pg_backend_pid()`,
    );

  it('that are created in one process work in all within 1 s, and revoked ones stop within 1 s', async () => {
    const { key, secret } = await createAnyKey();
    assert.ok((await until(true, secret)) < scaledMs(1_000));
    await here.keys.revokeKey(key.id, NOW);
    assert.ok((await until(false, secret)) < scaledMs(1_000));
  });

  it('are not queried again for as long as notices arrive', async () => {
    const { secret } = await createAnyKey();
    // The notice of the creation may arrive after the first query.
    await delay(100);
    await until(true, secret);
    const before = queries;
    for (let n = 0; n < 5; n += 1) {
      shiftMs += 10_000;
      const { confirmedAtMs } = there.getKeyWatch();
      // The next heartbeat.
      while (there.getKeyWatch().confirmedAtMs < confirmedAtMs + 10_000) await delay(20);
      assert.ok(await keys.authenticate(secret));
    }
    assert.equal(queries, before);
  });

  it('stop working within 5 s although every connection for notices is lost', async () => {
    const { key, secret } = await createAnyKey();
    await until(true, secret);
    const over = new AbortController();
    const cutting = (async () => {
      while (!over.signal.aborted) {
        await endListeners();
        await delay(50);
      }
    })();
    await delay(200);
    await here.keys.revokeKey(key.id, NOW);
    assert.ok((await until(false, secret)) < RECOVERY_MS);
    over.abort();
    await cutting;
  });

  it('are heard of again after the connection for notices was lost', async () => {
    const { key, secret } = await createAnyKey();
    await until(true, secret);
    const watch = there.getKeyWatch();
    await endListeners();
    await waitUntil(() => watch.isEnded);
    const heard = hearChange(there);
    await here.keys.revokeKey(key.id, NOW);
    assert.equal(await heard, key.accountId);
    assert.equal(await keys.authenticate(secret), null);
  });

  it(`kill -9 of the server while keys are created, ${ROUNDS} times: every key that was shown works`, async () => {
    const shown: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const over = new AbortController();
      const writers = Array.from({ length: 6 }, async (_, n) => {
        while (!over.signal.aborted) {
          const created = await createUntilFailure(
            n % 2 ? here : there,
            `w${round}-${n}-${accounts++}@example.com`,
          );
          shown.push(...created);
        }
      });
      while (shown.length < (round + 1) * 40) await delay(5);
      await server.kill();
      over.abort();
      await Promise.all(writers);
      await server.start();
      const startMs = performance.now();
      while (!(await here.isHealthy()) || !(await there.isHealthy())) {
        assert.ok(performance.now() - startMs < RECOVERY_MS, 'it recovers within 5 s');
        await delay(20);
      }
    }
    for (const secret of shown)
      assert.ok(await here.keys.findKeyBySecretHash(hashKeySecret(secret)), 'a key was lost');
    assert.ok(shown.length >= ROUNDS * 40);
  });
});

/** Resolves to the account of the next notice, to null after a long time. */
function hearChange(storage: Storage): Promise<string | null> {
  return Promise.race([
    new Promise<string | null>((resolve) => storage.onKeyChange(resolve)),
    delay(patientMs(5_000), null, { ref: false }),
  ]);
}

/** Creates up to 20 keys of a new account. Returns those that were shown before the database failed. */
async function createUntilFailure(storage: Storage, email: string): Promise<string[]> {
  const shown: string[] = [];
  try {
    const { id: accountId } = await createAccount(storage.accounts, plans, { email }, NOW);
    for (let n = 0; n < 20; n += 1)
      shown.push((await createKey(storage.keys, { accountId, name: 'k' }, NOW)).secret);
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'unavailable', String(error));
    await delay(20);
  }
  return shown;
}
