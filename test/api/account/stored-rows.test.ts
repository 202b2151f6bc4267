/** The bounds of the rows that strangers and account holders add to the database. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { signIn } from '#accounts/sign-in';
import { createEngineOptions } from '../../../src/accounts/sign-in/auth-engine.ts';
import { patientMs } from '../../support/patience.ts';
import {
  type AccountServer,
  PASSWORD,
  openBrowser,
  openSignedIn,
  startAccountServer,
} from '../account-server.ts';

let server: AccountServer;
before(async () => {
  server = await startAccountServer();
});
after(() => server.close());

function query(sql: string): number {
  const database = new DatabaseSync(join(server.dataDir, 'utility-api.db'), { readOnly: true });
  const row = database.prepare(sql).get();
  database.close();
  return Number(row?.['count']);
}

it('an account has at most 100 sessions: a new one ends the oldest', async () => {
  const first = await openSignedIn(server, 'many@example.com');
  for (let n = 0; n < 101; n += 1) {
    server.clock.shiftMs += 1_000;
    const { status } = await openBrowser(server).post('/account/sign-in', {
      email: 'many@example.com',
      password: PASSWORD,
    });
    assert.equal(status, 200);
  }
  assert.equal(query('select count(*) as count from sessions'), 100);
  assert.equal((await first.get('/account/keys')).status, 401);
});

it('an account has at most 100 sign-ins that wait for a second factor', async () => {
  const { authDatabase } = server.access.store;
  const engine = { database: authDatabase, secret: 'secret', onLog: () => {} };
  const database = authDatabase(createEngineOptions(engine, false));
  const create = (value: string, n: number): Promise<unknown> =>
    database.create({
      model: 'verification',
      data: {
        identifier: `${value} ${n}`,
        value,
        expiresAt: new Date(n),
        createdAt: new Date(n),
        updatedAt: new Date(n),
      },
    });
  for (let n = 0; n < 105; n += 1) {
    await create('acc_waiting', n);
    await create('a sign-in at the provider', n);
  }
  const count = (value: string) =>
    query(`select count(*) as count from verifications where value = '${value}'`);
  assert.deepEqual([count('acc_waiting'), count('a sign-in at the provider')], [100, 105]);
});

it('failed sign-ins past the limits of a day are not stored, whether there is the account or not', async () => {
  const client = { ip: '203.0.113.9', userAgent: 'x', isSecure: false, requestId: 'r', cookie: '' };
  const fail = async (email: string, isFull: boolean): Promise<void> => {
    const throttle = { ...server.access.throttle, consumeFailureEntry: async () => !isFull };
    const context = { ...server.access, throttle };
    const attempt = signIn(
      context,
      { email, password: 'wrong' },
      { ...client, address: `192.0.2.${isFull ? 1 : 2}` },
    );
    await assert.rejects(attempt, { code: 'unauthorized' });
  };
  const count = () => query("select count(*) as count from audit_events where event = 'sign_in.failed'");
  for (const email of ['many@example.com', 'unknown@example.com']) {
    const before = count();
    await fail(email, true);
    await fail(email, false);
    // Entries are stored after the response, in order.
    const until = performance.now() + patientMs(5_000);
    while (count() === before && performance.now() < until) await delay(5);
    assert.equal(count(), before + 1, email);
  }
});
