/** The database after `restore`, the files that it refuses, the remains of a kill. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Kysely } from 'kysely';
import { isKeySecret } from '#accounts';
import { createBackup, openStorage, restoreBackup, StorageStateError } from '#storage';
import { migrateTo } from '../../../src/storage/sql/migrate.ts';
import type { Schema } from '../../../src/storage/sql/schema.ts';
import { acquireFileLock, getLockPath } from '../../../src/storage/sqlite/file-lock.ts';
import { createSqliteDialect } from '../../../src/storage/sqlite/sqlite-driver.ts';
import { isFullRun } from '../../support/sample.ts';
import { startApp } from '../../support/start-app.ts';
import {
  type Folders,
  NOW,
  addAccount,
  execute,
  listModes,
  openFolders,
  readAccounts,
  runAdmin,
} from './folders.ts';

const WRITER = fileURLToPath(new URL('../key-writer.ts', import.meta.url));

function restore({ dataDir, file }: Folders, replace = false): ReturnType<typeof restoreBackup> {
  return restoreBackup({ dataDir, file, replace, nowMs: NOW });
}

async function refuses(folders: Folders, replace: boolean, message: RegExp): Promise<void> {
  await assert.rejects(restore(folders, replace), { code: 'invalid_parameter', message });
  assert.ok(!existsSync(`${folders.database}.restoring`), 'no draft remains');
}

/** Makes a backup of a database with this account, and deletes the database. */
async function backUp(folders: Folders, email = 'old@example.com'): Promise<string> {
  const other = join(folders.root, `source-${email}`);
  const secret = await addAccount(other, email);
  await createBackup({ dataDir: other, file: folders.file, force: true });
  return secret;
}

/** Creates a database of an earlier schema, with the accounts and keys of `source`. */
async function createOlder(path: string, source: string, migration: string): Promise<void> {
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(path) });
  await migrateTo(db, migration);
  const tables = (await db.introspection.getTables()).filter(({ name }) =>
    /^(accounts|api_keys)$/.test(name),
  );
  await db.destroy();
  const inserts = tables.map(({ name, columns }) => {
    const names = columns.map((column) => column.name).join(', ');
    return `insert into ${name} (${names}) select ${names} from source.${name};`;
  });
  execute(
    path,
    `attach '${source}' as source; ${inserts.join(' ')} detach source; pragma journal_mode = delete`,
  );
}

describe('restore', () => {
  it('into a new folder, which it creates for this user only', async () => {
    using folders = openFolders();
    await backUp(folders);
    const { kept, isCurrentSchema } = await restore(folders);
    assert.equal(kept, null);
    assert.ok(isCurrentSchema);
    assert.equal((statSync(folders.dataDir).mode & 0o777).toString(8), '700');
    assert.deepEqual(readAccounts(folders.database).emails, ['old@example.com']);
  });

  it('in place of a database that was only started, without --replace', async () => {
    using folders = openFolders();
    await backUp(folders);
    await using service = await startApp();
    await service.app.createSetupLink();
    await service.app.close();
    await restoreBackup({ dataDir: service.dataDir, file: folders.file, replace: false, nowMs: NOW });
    assert.deepEqual(readAccounts(join(service.dataDir, 'utility-api.db')).emails, ['old@example.com']);
  });

  it('keeps a database with data under another name, with what a killed service left in its log', async () => {
    using folders = openFolders();
    await backUp(folders);
    const writer = spawn(process.execPath, [WRITER, folders.dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const acknowledged: string[] = [];
    for await (const line of createInterface(writer.stdout)) {
      if (isKeySecret(line)) acknowledged.push(line);
      if (acknowledged.length === 15) writer.kill('SIGKILL');
    }
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
    assert.ok(statSync(`${folders.database}-wal`).size > 0, 'the log was not copied');
    await refuses(folders, false, /contains data \(accounts: \d+, api_keys: \d+\): set DATA_DIR to an empty/);
    const { kept } = await restore(folders, true);
    assert.deepEqual(listModes(folders.dataDir), {
      'utility-api.db': 'f600',
      [basename(kept ?? '')]: 'f600',
      'utility-api.lock': 'f600',
    });
    assert.match(kept ?? '', /utility-api\.db\.before-restore-2026-06-01T00-00-00\.000Z$/);
    assert.deepEqual(readAccounts(folders.database).emails, ['old@example.com'], 'no log was applied to it');
    const db = new DatabaseSync(kept ?? '', { readOnly: true });
    const keys = db.prepare('select count(*) as rows from api_keys').get()?.['rows'];
    db.close();
    assert.ok(Number(keys) >= acknowledged.length);
    // The kept one is a backup, too.
    await restoreBackup({ ...folders, file: kept ?? '', replace: true, nowMs: NOW + 1 });
    assert.notDeepEqual(readAccounts(folders.database).emails, ['old@example.com']);
  });

  it('refuses while a service runs, while its replica still does, and not any more afterwards', async () => {
    using folders = openFolders();
    await backUp(folders);
    const inUse = /A service or another command is using the database in .*: stop it, then restore\.$/;
    await using one = await startApp({ DATA_DIR: folders.dataDir });
    await using two = await startApp({ DATA_DIR: folders.dataDir });
    const { code, stderr } = await runAdmin(folders.dataDir, ['restore', folders.file, '--replace']);
    assert.equal(code, 1);
    assert.match(stderr.trim(), inUse);
    await one.app.close();
    await refuses(folders, true, inUse);
    assert.equal((await two.call('/readyz')).status, 200, 'it is not disturbed');
    await two.app.close();
    await restore(folders, true);
  });

  it('refuses while a process holds the lock that has not opened the database yet', async () => {
    using folders = openFolders();
    await backUp(folders);
    await addAccount(folders.dataDir, 'new@example.com');
    const starting = await acquireFileLock(getLockPath(folders.dataDir), 'shared', 0);
    await refuses(folders, true, /is using the database/);
    starting?.release();
  });

  it('refuses while a process has the database open that does not know the lock', async () => {
    using folders = openFolders();
    await backUp(folders);
    await addAccount(folders.dataDir, 'new@example.com');
    const other = new DatabaseSync(folders.database);
    other.exec('select count(*) from accounts');
    await refuses(folders, true, /is using the database/);
    other.close();
    await restore(folders, true);
  });

  it('a service that starts meanwhile waits for the end of the restore, or says why it cannot start', async () => {
    using folders = openFolders();
    mkdirSync(folders.dataDir);
    const restoring = await acquireFileLock(getLockPath(folders.dataDir), 'exclusive', 0);
    const refused = openStorage({ dataDir: folders.dataDir, watchIntervalMs: 0 });
    await assert.rejects(refused, (error: Error) => {
      assert.ok(error instanceof StorageStateError);
      return /^A restore is replacing the database in .*: wait for its end, then start again$/.test(
        error.message,
      );
    });
    const waiting = openStorage({ dataDir: folders.dataDir, watchIntervalMs: 0 });
    // No file of a database exists that the restore would replace.
    assert.deepEqual(readdirSync(folders.dataDir), ['utility-api.lock']);
    restoring?.release();
    await (await waiting).close();
  });

  it('refuses what is not a whole backup, and changes nothing', async () => {
    using folders = openFolders();
    await backUp(folders);
    await addAccount(folders.dataDir, 'new@example.com');
    const before = readFileSync(folders.database);
    const whole = readFileSync(folders.file);
    const files: [content: Buffer | string | null, message: RegExp][] = [
      [null, /cannot be restored: it does not exist\.$/],
      ['', /it is not a backup: it is no SQLite database\.$/],
      ['PGDMP custom dump', /it is not a backup: it is no SQLite database\.$/],
      [whole.subarray(0, 50_000), /it is damaged: /],
      [whole.subarray(0, whole.length - 1), /it is damaged: /],
      [flipBytes(whole), /it is damaged: /],
      [before, /the copy of a database in use/],
    ];
    for (const [content, message] of files) {
      if (content === null) await refuses({ ...folders, file: `${folders.file}-none` }, true, message);
      else {
        writeFileSync(folders.file, content);
        await refuses(folders, true, message);
      }
    }
    writeFileSync(folders.file, whole);
    await assert.rejects(restoreBackup({ ...folders, replace: true, sha256: '00', nowMs: NOW }), {
      message: /its SHA-256 is [0-9a-f]{64}, not 00\.$/,
    });
    writeFileSync(folders.file, '');
    execute(folders.file, 'create table t (a)');
    await refuses(folders, true, /it is not a backup of this service: it is another SQLite database\.$/);
    await refuses({ ...folders, file: folders.backups }, true, /it is not a regular file\.$/);
    assert.deepEqual(readdirSync(folders.dataDir).toSorted(), ['utility-api.db', 'utility-api.lock']);
    assert.deepEqual(readAccounts(folders.database).emails, ['new@example.com']);
  });

  it('refuses a schema that the service did not create: what is missing, and what acts by itself', async () => {
    using folders = openFolders();
    await backUp(folders);
    const whole = readFileSync(folders.file);
    const changes: [sql: string, message: RegExp][] = [
      ['drop table secrets', /it lacks the table secrets\.$/],
      ['alter table accounts rename column name to other', /its table accounts lacks the column name\.$/],
      ["delete from kysely_migration where name like '0002%'", /it lacks the migration 0002-sign-in of/],
      [
        'create trigger promote after insert on accounts begin update accounts set admin = 1; end',
        /it has the trigger promote, which the service does not create/,
      ],
      [
        'alter table secrets rename to kept; create view secrets as select name, value from kept',
        /it lacks the table secrets\.$/,
      ],
      ['create virtual table words using fts5(word)', /it has the virtual table words,/],
    ];
    for (const [sql, message] of changes) {
      writeFileSync(folders.file, whole);
      execute(folders.file, sql);
      await refuses(folders, false, message);
    }
    writeFileSync(folders.file, whole);
    execute(
      folders.file,
      'create table notes (a); create view names as select name from accounts; create index by_name on accounts (lower(name))',
    );
    await restore(folders);
  });

  it('refuses a newer schema; an older one is migrated at the next start', async () => {
    using folders = openFolders();
    const secret = await backUp(folders);
    copyFileSync(folders.file, `${folders.file}-newer`);
    execute(`${folders.file}-newer`, "insert into kysely_migration values ('9999-future', '2030-01-01')");
    const newer = { ...folders, file: `${folders.file}-newer` };
    await refuses(
      newer,
      true,
      /of a newer release: .* its migration 9999-future\. Run this command with that release/,
    );
    const older = { ...folders, file: `${folders.file}-older` };
    await createOlder(older.file, folders.file, '0003-links');
    const { isCurrentSchema, schema } = await restore(older);
    assert.deepEqual([isCurrentSchema, schema], [false, '0003-links']);
    await using service = await startApp({ DATA_DIR: folders.dataDir });
    const response = await service.call('/v1/email/validate?email=a@example.com&check_mx=false', secret);
    assert.equal(response.status, 200);
  });

  it('a damaged database is replaced and kept, with its log, which is not applied to the new one', async () => {
    using folders = openFolders();
    await backUp(folders);
    await addAccount(folders.dataDir, 'new@example.com');
    truncateSync(folders.database, 10_000);
    writeFileSync(`${folders.database}-journal`, 'of the damaged database');
    await refuses(folders, false, /is damaged \(.*\): set DATA_DIR/);
    const { kept } = await restore(folders, true);
    assert.deepEqual(readAccounts(folders.database), { emails: ['old@example.com'], check: 'ok' });
    assert.equal(statSync(kept ?? '').size, 10_000);
    assert.ok(!existsSync(`${folders.database}-journal`));
  });

  /** The moments of the kill: when a file of this name appears, or after a time. */
  const moments = isFullRun
    ? Array.from({ length: 60 }, (_, n) => n * 12)
    : ['.restoring', '.before-restore-', 250];
  for (const moment of moments)
    it(`kill -9 (${typeof moment === 'number' ? `after ${moment} ms` : `when ${moment} appears`}): the database is the old or the new one, whole`, async () => {
      using folders = openFolders();
      const source = join(folders.root, 'source');
      await addAccount(source, 'old@example.com');
      execute(
        join(source, 'utility-api.db'),
        `insert into secrets values ('large', '${'x'.repeat(8_000_000)}')`,
      );
      await createBackup({ dataDir: source, file: folders.file, force: false });
      await addAccount(folders.dataDir, 'new@example.com');
      await runAdmin(folders.dataDir, ['restore', folders.file, '--replace'], (child) => {
        const startMs = performance.now();
        const timer = setInterval(() => {
          const isReached =
            typeof moment === 'number'
              ? performance.now() - startMs >= moment
              : readdirSync(folders.dataDir).some((name) => name.includes(moment));
          if (isReached) child.kill('SIGKILL');
        }, 1);
        child.once('close', () => clearInterval(timer));
      });
      const { emails, check } = readAccounts(folders.database);
      assert.equal(check, 'ok');
      assert.match(emails.join(), /^(old|new)@example\.com$/);
      // The next restore finds no obstacle.
      await restore(folders, true);
      assert.deepEqual(readAccounts(folders.database).emails, ['old@example.com']);
      assert.ok(!existsSync(`${folders.database}.restoring`));
    });
});

/** Returns the bytes with changes in the pages after the first. */
function flipBytes(whole: Buffer): Buffer {
  const changed = Buffer.from(whole);
  for (let at = 4_096 + 8; at < changed.length; at += 4_096) changed.fill(0xee, at, at + 64);
  return changed;
}
