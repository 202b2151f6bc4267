/**
 * Promises about the SQLite file: its mode, the durability of commits, and that deleted data is overwritten.
 */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Kysely, sql } from 'kysely';
import { createAccount, createKey } from '#accounts';
import { openStorage } from '#storage';
import { createSqliteDialect } from '../../src/storage/sqlite/sqlite-driver.ts';

const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);
const NOW = Date.UTC(2026, 5, 1);

describe('the SQLite file', () => {
  let folder: string;
  let umask: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sqlite-file-'));
    // The widest: the modes below are not due to the machine's setting.
    umask = process.umask(0);
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(folder, { recursive: true });
  });

  it('is readable and writable for its user only, as are its companions and its folder', async () => {
    const dataDir = join(folder, 'data');
    const storage = await openStorage({ dataDir });
    await createAccount(storage.accounts, plans, { email: 'ann@example.com' }, NOW);
    const names = (await readdir(dataDir)).toSorted();
    assert.deepEqual(names, [
      'utility-api.db',
      'utility-api.db-shm',
      'utility-api.db-wal',
      'utility-api.lock',
    ]);
    const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
    assert.equal(await modeOf(dataDir), '700');
    for (const name of names) assert.equal(await modeOf(join(dataDir, name)), '600', name);
    await storage.close();
  });

  it('is as private in a folder that others can enter', async () => {
    await chmod(folder, 0o755);
    const storage = await openStorage({ dataDir: folder });
    assert.equal((await stat(join(folder, 'utility-api.db'))).mode & 0o777, 0o600);
    await storage.close();
  });

  it('is written with synchronous=full, so that a commit survives a power failure', async () => {
    const db = new Kysely({ dialect: createSqliteDialect(join(folder, 'pragmas.db')) });
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
    assert.equal(rows[0]?.synchronous, 2, 'FULL is 2, see https://sqlite.org/pragma.html#pragma_synchronous');
    await db.destroy();
  });

  it('contains no address of a deleted account (secure_delete)', async () => {
    const storage = await openStorage({ dataDir: folder });
    const emails = Array.from({ length: 40 }, (_, n) => `secret-person-${n}@example.com`);
    for (const email of emails) {
      const { id } = await createAccount(storage.accounts, plans, { email }, NOW);
      await createKey(storage.keys, { accountId: id, name: `key of ${email}` }, NOW);
    }
    assert.match(await readFiles(folder), /secret-person-/);
    for (const email of emails) {
      const account = await storage.accounts.findAccountByEmail(email);
      await storage.accounts.deleteAccount(account?.id ?? '');
    }
    assert.doesNotMatch(await readFiles(folder), /secret-person-/, 'while it is open');
    await storage.close();
    assert.doesNotMatch(await readFiles(folder), /secret-person-/, 'after it was closed');
  });
});

/** Reads the bytes of all files in the folder, as text. */
async function readFiles(folder: string): Promise<string> {
  const names = await readdir(folder);
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
  return contents.join('');
}
