import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { createAccount, createKey, createKeyAuthenticator } from '#accounts';
import { openStorage, type Storage } from '#storage';
import { scaledMs } from '../support/patience.ts';

const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);
const KEYS = 3;
const ROUNDS = process.env['TEST_FULL'] === '1' ? 30 : 2;

describe('password reset in storage', () => {
  let dataDir: string;
  let storage: Storage;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'reset-'));
    storage = await openStorage({ dataDir, watchIntervalMs: 20 });
  });
  after(async () => {
    await storage.close();
    await rm(dataDir, { recursive: true });
  });

  let accounts = 0;
  /** Creates an unverified account with keys and a link that resets its password. */
  const prepare = async (): Promise<{ id: string; tokenHash: string; secrets: string[] }> => {
    const email = `a${accounts++}@example.com`;
    const { id } = await createAccount(storage.accounts, plans, { email }, Date.now());
    const made = Array.from({ length: KEYS }, () =>
      createKey(storage.keys, { accountId: id, name: 'k' }, Date.now()),
    );
    const secrets = (await Promise.all(made)).map(({ secret }) => secret);
    const tokenHash = `hash of ${email}`;
    const expiresAtMs = Date.now() + 3_600_000;
    await storage.access.insertLink({ tokenHash, purpose: 'reset', email, expiresAtMs });
    return { id, tokenHash, secrets };
  };
  const reset = (tokenHash: string) =>
    storage.access.resetPassword({
      tokenHash,
      passwordHash: 'new',
      requestId: 'r',
      ip: null,
      nowMs: Date.now(),
    });

  it(`kill -9 during resets, ${ROUNDS} times: no account has its new password and a working old key`, async () => {
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const prepared = [];
      for (let n = 0; n < 12; n++) prepared.push(await prepare());
      ids.push(...prepared.map(({ id }) => id));
      const script = new URL('../accounts/reset-process.ts', import.meta.url).pathname;
      const args = [script, dataDir, ...prepared.map(({ tokenHash }) => tokenHash)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      let lines = 0;
      for await (const line of createInterface(child.stdout)) {
        assert.equal(line, String(KEYS));
        if (++lines === 2 + ((round * 3) % 8)) child.kill('SIGKILL');
      }
    }
    const db = new DatabaseSync(join(dataDir, 'utility-api.db'), { readOnly: true });
    const query = db.prepare(
      `select email_verified as verified,
        (select count(*) from api_keys where account_id = accounts.id and revoked_at is null) as live,
        (select count(*) from links where email = accounts.email) as links,
        (select count(*) from credentials where account_id = accounts.id and password_hash = 'new') as replaced,
        (select count(*) from audit_events where account_id = accounts.id and event = 'keys.revoked_by_reset') as recorded
      from accounts where id = ?`,
    );
    const states = ids.map((id) => Object.values(query.get(id) ?? {}).join(' '));
    db.close();
    const before = `0 ${KEYS} 1 0 0`;
    const afterwards = '1 0 0 1 1';
    for (const state of states) assert.ok([before, afterwards].includes(state), state);
    assert.ok(states.includes(before) && states.includes(afterwards), 'some were reset, some not');
  });

  it('a revoked key is refused from the next request on in this process, and within 5 s in another', async () => {
    const there = await openStorage({ dataDir, watchIntervalMs: 20 });
    const [mine, theirs] = [storage, there].map((store) => {
      const keys = createKeyAuthenticator({ store: store.keys, plans, now: Date.now });
      store.onKeyChange((accountId) => keys.forget(accountId));
      return keys;
    });
    const { tokenHash, secrets } = await prepare();
    // The change notices of the preparation are over.
    for (const secret of secrets)
      assert.ok((await mine!.authenticate(secret)) && (await theirs!.authenticate(secret)));
    assert.equal((await reset(tokenHash))?.keysRevoked, KEYS);
    for (const secret of secrets) assert.equal(await mine!.authenticate(secret), null);
    const deadline = performance.now() + scaledMs(5_000);
    while (await theirs!.authenticate(secrets[0]!)) {
      assert.ok(performance.now() < deadline, 'still accepted after 5 s');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await there.close();
  });

  it('a key is stored only while the session that requests it is live', async () => {
    const { id: accountId } = await prepare();
    const request = { accountId, name: 'k', sessionId: 'no such session' };
    await assert.rejects(createKey(storage.keys, request, Date.now()), { code: 'unauthorized' });
    assert.equal(await storage.keys.countLiveKeys(accountId, Date.now()), KEYS);
  });
});
