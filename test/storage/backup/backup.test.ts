/** The file of `backup`, the places that it refuses, the remains of a failure. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '#cli';
import { createBackup, openStorage } from '#storage';
import { acquireFileLock } from '../../../src/storage/sqlite/file-lock.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { addAccount, execute, listModes, NOW, openFolders, readAccounts, runAdmin } from './folders.ts';

function refuses(options: Parameters<typeof createBackup>[0], message: RegExp): Promise<void> {
  return assert.rejects(createBackup(options), { code: 'invalid_parameter', message });
}

describe('backup', () => {
  it('copies what is only in the write-ahead log yet', async () => {
    using folders = openFolders();
    const storage = await openStorage({ dataDir: folders.dataDir, watchIntervalMs: 0 });
    await storage.access.findOrCreateSecret('test', 'value');
    assert.ok(statSync(`${folders.database}-wal`).size > 0);
    const { tables, schema } = await createBackup({ ...folders, force: false });
    await storage.close();
    assert.equal(tables.find(({ table }) => table === 'secrets')?.rows, 1);
    assert.match(schema, /^\d{4}-/);
    assert.match(readFileSync(folders.file, 'latin1'), /testvalue/);
  });

  it('replaces an existing file only with --force, and as a whole', async () => {
    using folders = openFolders();
    await addAccount(folders.dataDir, 'one@example.com');
    await createBackup({ ...folders, force: false });
    const before = readFileSync(folders.file);
    await addAccount(folders.dataDir, 'two@example.com');
    await refuses({ ...folders, force: false }, /exists: name another file, or replace it by --force\.$/);
    assert.ok(readFileSync(folders.file).equals(before));
    await createBackup({ ...folders, force: true });
    assert.deepEqual(readAccounts(folders.file).emails, ['one@example.com', 'two@example.com']);
    assert.deepEqual(listModes(folders.backups), { 'backup.db': 'f600' });
  });

  it('does not replace a file that appears while it runs', async () => {
    using folders = openFolders();
    await addAccount(folders.dataDir, 'one@example.com');
    const running = createBackup({ ...folders, force: false });
    // The checks of the target begin before the file exists.
    writeFileSync(folders.file, 'of someone else');
    await assert.rejects(running, { message: /exists/ });
    assert.equal(readFileSync(folders.file, 'utf8'), 'of someone else');
  });

  it('refuses each place where a backup cannot be or should not be, and leaves nothing behind', async () => {
    using folders = openFolders();
    const { dataDir, backups } = folders;
    await addAccount(dataDir, 'one@example.com');
    symlinkSync('/nowhere', join(backups, 'link'));
    symlinkSync(dataDir, join(backups, 'other-name'));
    writeFileSync(join(backups, 'plain'), '');
    const cases: [file: string, message: RegExp][] = [
      [backups, /is a folder: name a file in it\.$/],
      [join(backups, 'none', 'x.db'), /folder .*none: it does not exist\.$/],
      [join(backups, 'plain', 'x.db'), /a part of its path is not a folder\.$/],
      [join(backups, 'x'.repeat(300)), /the name is too long\.$/],
      [join(backups, 'link'), /is not a regular file/],
      ['/dev/null', /is not a regular file/],
      ['/proc/backup.db', /cannot be written to \/proc\/backup\.db: it does not exist\.$/],
      ['-', /needs a file: name one instead of «-»\.$/],
      [join(dataDir, 'x.db'), /is inside DATA_DIR/],
      [join(backups, 'other-name', 'x.db'), /is inside DATA_DIR/],
      [folders.database, /is inside DATA_DIR/],
    ];
    for (const [file, message] of cases) await refuses({ dataDir, file, force: true }, message);
    assert.deepEqual(readdirSync(backups).toSorted(), ['link', 'other-name', 'plain']);
  });

  it('refuses a folder without a database, and does not create one', async () => {
    using folders = openFolders();
    mkdirSync(folders.dataDir);
    await refuses(
      { ...folders, force: false },
      /There is no database in .*: set DATA_DIR as the service does\.$/,
    );
    assert.deepEqual(readdirSync(folders.dataDir), []);
  });

  it('says of a folder that cannot be read why, not that it has no database', async () => {
    using folders = openFolders();
    symlinkSync('data', folders.dataDir);
    const { stderr, code } = await runAdmin(folders.dataDir, ['keys', 'list']);
    assert.match(
      stderr,
      /^The database cannot be read: ELOOP.*\. Run the command as the user of the service/,
    );
    assert.equal(code, 1);
  });

  it('refuses the database of a newer release, and says which release makes the backup', async () => {
    using folders = openFolders();
    await addAccount(folders.dataDir, 'one@example.com');
    execute(folders.database, "insert into kysely_migration values ('9999-future', '2030-01-01')");
    await refuses({ ...folders, force: false }, /migration 9999-future\. Run this command with that release/);
    assert.deepEqual(readdirSync(folders.backups), []);
  });

  it('refuses a damaged database and one of another program', async () => {
    using folders = openFolders();
    await addAccount(folders.dataDir, 'one@example.com');
    truncateSync(folders.database, 20_000);
    await refuses({ ...folders, force: false }, /is damaged \(.*malformed.*\): no backup was made/);
    writeFileSync(folders.database, '');
    execute(folders.database, 'create table t (a)');
    await refuses({ ...folders, force: false }, /not a backup of this service.*No backup was made\.$/);
    assert.deepEqual(readdirSync(folders.backups), []);
  });

  it('refuses a folder for its draft that others could read or exchange', async () => {
    using folders = openFolders();
    await addAccount(folders.dataDir, 'one@example.com');
    const running = createBackup({ ...folders, force: false });
    let draftFolder = '';
    while (draftFolder === '') {
      draftFolder = readdirSync(folders.backups).find((name) => name.startsWith('.backup-')) ?? '';
      await new Promise(setImmediate);
    }
    await running;
    mkdirSync(join(folders.backups, draftFolder));
    chmodSync(join(folders.backups, draftFolder), 0o777);
    await refuses({ ...folders, force: true }, /does not belong to this user alone.*: delete it\.$/);
  });

  it('refuses a second backup to the same file while one runs', async () => {
    using folders = openFolders();
    await addAccount(folders.dataDir, 'one@example.com');
    const results = await Promise.allSettled([1, 2].map(() => createBackup({ ...folders, force: true })));
    const failed = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
    assert.equal(failed.length, 1);
    assert.match(failed[0] ?? '', /Another backup to .* is running: wait for its end\.$/);
    assert.deepEqual(readdirSync(folders.backups), ['backup.db']);
  });

  const disk = mountSmallDisk(1);
  it(
    'a full disk: one sentence, and the space is free again',
    { skip: disk === null && 'cannot mount' },
    async () => {
      using small = disk!;
      using folders = openFolders();
      await addAccount(folders.dataDir, 'one@example.com');
      execute(folders.database, `insert into secrets values ('large', '${'x'.repeat(2_000_000)}')`);
      const file = join(small.folder, 'backup.db');
      await refuses({ dataDir: folders.dataDir, file, force: false }, /its disk is full\.$/);
      assert.deepEqual(readdirSync(small.folder), []);
    },
  );

  it('kill -9: no file has the name, and the next backup deletes the remains', async () => {
    using folders = openFolders();
    await addAccount(folders.dataDir, 'one@example.com');
    execute(folders.database, `insert into secrets values ('large', '${'x'.repeat(30_000_000)}')`);
    const { code } = await runAdmin(folders.dataDir, ['backup', folders.file], (child) => {
      const timer = setInterval(() => {
        if (!Object.keys(listModes(folders.backups)).some((name) => name.endsWith('backup.db'))) return;
        clearInterval(timer);
        child.kill('SIGKILL');
      }, 1);
      child.once('close', () => clearInterval(timer));
    });
    assert.equal(code, null, 'it was killed');
    assert.equal(statSync(folders.file, { throwIfNoEntry: false }), undefined);
    for (const mode of Object.values(listModes(folders.backups))) assert.match(mode, /^(d700|f600)$/);
    await createBackup({ ...folders, force: false });
    assert.deepEqual(listModes(folders.backups), { 'backup.db': 'f600' });
  });

  it('PostgreSQL: refused, with the command of pg_dump and pg_restore without the password', async () => {
    const run = (line: string) =>
      runCli(
        line.split(' '),
        () => assert.fail('opened'),
        () => ({
          dataDir: '/nowhere',
          databaseUrl: 'postgres://ann:pass%20word@db:5433/app?sslmode=require',
          now: () => NOW,
        }),
      );
    const url = "'postgres://ann@db:5433/app?sslmode=verify-full'";
    const dump = await run("backup it's.dump");
    assert.equal(dump.exitCode, 1);
    assert.ok(
      dump.stderr.includes(`pg_dump --format=custom --no-owner --file='it'\\''s.dump' ${url}`),
      dump.stderr,
    );
    const restore = await run('restore a.dump');
    assert.ok(restore.stderr.includes(`--dbname=${url} 'a.dump'`), restore.stderr);
    assert.doesNotMatch(dump.stderr + restore.stderr, /pass(%20| )word/);
  });

  it('the lock of the database is shared by its users, or held by one restore, and leaves no other file', async () => {
    using folders = openFolders();
    await addAccount(folders.dataDir, 'one@example.com');
    const path = join(folders.dataDir, 'utility-api.lock');
    const first = await acquireFileLock(path, 'shared', 0);
    const second = await acquireFileLock(path, 'shared', 0);
    assert.ok(first && second, 'any number of processes share it');
    assert.equal(await acquireFileLock(path, 'exclusive', 0), null);
    first.release();
    assert.equal(await acquireFileLock(path, 'exclusive', 0), null);
    second.release();
    const alone = await acquireFileLock(path, 'exclusive', 0);
    assert.ok(alone);
    assert.equal(await acquireFileLock(path, 'shared', 0), null);
    alone.release();
    assert.deepEqual(readdirSync(folders.dataDir).toSorted(), ['utility-api.db', 'utility-api.lock']);
  });
});
