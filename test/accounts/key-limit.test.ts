import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  createAccount,
  createKey,
  createKeySecret,
  hashKeySecret,
  isLiveKey,
  MAX_LIVE_KEYS,
  rotateKey,
  type ApiKey,
} from '#accounts';
import { openStorage, type Storage } from '#storage';

const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);
const NOW = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

describe('the limit of 20 working keys', () => {
  let dataDir: string;
  let storage: Storage;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'key-limit-'));
    storage = await openStorage({ dataDir });
  });
  after(async () => {
    await storage.close();
    await rm(dataDir, { recursive: true });
  });

  let accounts = 0;
  const newAccount = async (): Promise<string> =>
    (await createAccount(storage.accounts, plans, { email: `a${accounts++}@example.com` }, NOW)).id;
  const create = async (accountId: string, nowMs = NOW): Promise<ApiKey> =>
    (await createKey(storage.keys, { accountId, name: 'k' }, nowMs)).key;
  const createMany = async (accountId: string, count: number): Promise<ApiKey[]> =>
    Promise.all(Array.from({ length: count }, () => create(accountId)));
  /** Counts the keys that authenticate, and compares the number with the store's own count. */
  const count = async (accountId: string, nowMs: number): Promise<number> => {
    const live = (await storage.keys.listKeys(accountId)).filter((key) => isLiveKey(key, nowMs));
    assert.equal(await storage.keys.countLiveKeys(accountId, nowMs), live.length);
    return live.length;
  };
  const find = async (id: string): Promise<ApiKey> => (await storage.keys.findKey(id))!.key;

  it('70 rotations with 7 days’ grace leave 20 working keys: the newest and the 19 rotated last', async () => {
    const accountId = await newAccount();
    const chain = [await create(accountId)];
    for (let n = 1; n <= 70; n++) chain.push((await rotateKey(storage.keys, chain.at(-1)!, 7, NOW + n)).key);
    assert.equal(await count(accountId, NOW + 71), MAX_LIVE_KEYS);
    const live = (await storage.keys.listKeys(accountId)).filter((key) => isLiveKey(key, NOW + 71));
    assert.deepEqual(
      live.map(({ id }) => id).toSorted(),
      chain
        .slice(-MAX_LIVE_KEYS)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('a key in its grace period counts when a key is created, and stops counting when it ends', async () => {
    const accountId = await newAccount();
    const keys = await createMany(accountId, 19);
    await rotateKey(storage.keys, keys[0]!, 3, NOW);
    await assert.rejects(create(accountId), {
      code: 'invalid_parameter',
      message: /can have 20 keys, including rotated keys in their grace period: revoke one/,
    });
    await storage.keys.revokeKey(keys[0]!.id, NOW);
    await create(accountId);
    await rotateKey(storage.keys, keys[1]!, 0, NOW);
    assert.equal(await count(accountId, NOW), 20, 'without a grace period the number stays');
  });

  it('a rotation at the limit ends the grace period that began first, even if another would end earlier', async () => {
    const accountId = await newAccount();
    const [first, second, third] = await createMany(accountId, 18);
    assert.deepEqual((await rotateKey(storage.keys, first!, 7, NOW + 1)).ended, []);
    assert.deepEqual((await rotateKey(storage.keys, second!, 1, NOW + 2)).ended, []);
    const rotation = await rotateKey(storage.keys, third!, 5, NOW + 3);
    assert.deepEqual(
      rotation.ended.map(({ id, revokedAtMs }) => [id, revokedAtMs]),
      [[first!.id, NOW + 3]],
    );
    assert.equal(rotation.old.id, third!.id);
    assert.equal(rotation.old.expiresAtMs, NOW + 3 + 5 * DAY_MS);
    assert.equal(rotation.old.revokedAtMs, null);
    assert.equal((await find(first!.id)).revokedAtMs, NOW + 3);
    assert.equal((await find(second!.id)).revokedAtMs, null);
    assert.equal(await count(accountId, NOW + 3), 20);
  });

  it('with 20 keys, none in a grace period, the rotated key ends immediately', async () => {
    const accountId = await newAccount();
    const [first] = await createMany(accountId, 20);
    const { key, old, ended } = await rotateKey(storage.keys, first!, 7, NOW + 1);
    assert.deepEqual(ended, []);
    assert.deepEqual([old.revokedAtMs, old.expiresAtMs, old.rotatedTo], [NOW + 1, NOW + 1, key.id]);
    assert.equal(await count(accountId, NOW + 1), 20);
  });

  it('an account with 70 working keys, from before the limit, has 20 after its next rotation', async () => {
    const accountId = await newAccount();
    const [start] = await createMany(accountId, 20);
    // Earlier versions did not count rotated keys.
    let last = start!;
    for (let n = 1; n <= 50; n++) {
      const secret = createKeySecret();
      const key = { ...last, id: `${start!.id}-${n}`, createdAtMs: NOW + n };
      const replaces = { keyId: last.id, endsAtMs: NOW + 7 * DAY_MS };
      const request = { key, secretHash: hashKeySecret(secret), maxLiveKeys: 1_000, replaces };
      assert.equal((await storage.keys.insertKey(request)).outcome, 'inserted');
      last = key;
    }
    assert.equal(await count(accountId, NOW + 51), 70);
    await assert.rejects(create(accountId, NOW + 51), { code: 'invalid_parameter' });
    const { ended, old } = await rotateKey(storage.keys, last, 7, NOW + 51);
    assert.equal(ended.length, 50);
    assert.equal(old.revokedAtMs, NOW + 51);
    assert.equal(await count(accountId, NOW + 51), 20);
  });

  it('a rotation does not end grace periods of another account', async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()];
    const bystander = await create(theirs);
    await rotateKey(storage.keys, bystander, 7, NOW);
    const [key] = await createMany(mine, 20);
    assert.deepEqual((await rotateKey(storage.keys, key!, 7, NOW + 1)).ended, []);
    assert.equal((await find(bystander.id)).revokedAtMs, null);
  });

  it('30 concurrent creations and rotations in each of three processes leave at most 20 working keys', async () => {
    const { id } = await createAccount(storage.accounts, plans, { email: 'crowd@example.com' }, NOW);
    await createMany(id, 12);
    const script = new URL('./key-limit-process.ts', import.meta.url).pathname;
    const runs = await Promise.all(
      [0, 1, 2].map(() => promisify(execFile)(process.execPath, [script, dataDir, id, '30'])),
    );
    const reports = runs.map(({ stdout }) => JSON.parse(stdout) as Record<string, number>);
    const sum = (name: string) => reports.reduce((total, report) => total + (report[name] ?? 0), 0);
    assert.ok(sum('created') >= 1 && sum('rotated') >= 20, JSON.stringify(reports));
    for (const { highest } of reports) assert.ok(highest! <= 20, `${highest} keys worked at a time`);
    assert.equal(await count(id, Date.now()), 20);
  });
});
