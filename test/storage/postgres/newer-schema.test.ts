/** A release that finds a database which a newer release has migrated: what a rollback meets. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStorage, StorageStateError } from '#storage';
import { openPostgresServer, skipPostgres } from '../../support/postgres.ts';
import { addAccount, execute, openFolders, readAccounts } from '../backup/folders.ts';

const FUTURE = "insert into kysely_migration values ('9999-future', '2030-01-01')";
const MESSAGE =
  /^A newer release has changed the database: this release does not know its migration 9999-future\. Run that release or a newer one, or restore a backup from before the upgrade \(docs\/operate\/recover\.md\)$/;

function isRefusal(error: Error): boolean {
  return error instanceof StorageStateError && MESSAGE.test(error.message);
}

it('SQLite: an older release does not start, says why in one line, and changes nothing', async () => {
  using folders = openFolders();
  await addAccount(folders.dataDir, 'ann@example.com');
  execute(folders.database, FUTURE);
  await assert.rejects(openStorage({ dataDir: folders.dataDir }), isRefusal);
  const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [main], {
    env: { ...process.env, DATA_DIR: folders.dataDir, PORT: '0', OPERATIONS: 'email', LOG_LEVEL: 'silent' },
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  const [, text = ''] = /^cannot start: (.*)\.\n$/.exec(stderr) ?? [];
  assert.match(text, MESSAGE, stderr);
  assert.deepEqual(readAccounts(folders.database), { emails: ['ann@example.com'], check: 'ok' });
});

it('PostgreSQL: an older release does not start and says why', { skip: skipPostgres }, async () => {
  await using server = await openPostgresServer();
  const url = await server.createDatabase();
  const postgres = { url, poolSize: 2, statementTimeoutMs: 5_000, now: Date.now };
  await (await openStorage({ dataDir: '', postgres })).close();
  await server.query(FUTURE, url);
  await assert.rejects(openStorage({ dataDir: '', postgres }), isRefusal);
});
