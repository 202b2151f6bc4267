/** The commands that docs/operate/recover.md and the command line give for the backup of PostgreSQL. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { createAccount, createKey, hashKeySecret } from '#accounts';
import { runCli } from '#cli';
import { openStorage, type Storage } from '#storage';
import { findPostgresBinaries } from '../../support/postgres-binaries.ts';
import { openPostgresServer, skipPostgres } from '../../support/postgres.ts';
import { NOW, openFolders } from '../backup/folders.ts';

const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);
const folder = await findPostgresBinaries();
/** The package of npm has the server alone. */
const skip =
  skipPostgres || (!existsSync(join(folder ?? '', 'pg_dump')) && 'no pg_dump: install postgresql-client');

function open(url: string): Promise<Storage> {
  return openStorage({
    dataDir: '',
    postgres: { url, poolSize: 2, statementTimeoutMs: 5_000, now: Date.now },
    watchIntervalMs: 0,
  });
}

/** Runs the command that the message of `line` names, with the password where the message says it belongs. */
async function runNamedCommand(line: readonly string[], databaseUrl: string): Promise<void> {
  const { stderr } = await runCli(
    line,
    () => assert.fail('opened'),
    () => ({ dataDir: '/nowhere', databaseUrl, now: () => NOW }),
  );
  const [command = ''] = /pg_(dump|restore) .*'(?=[ .])/.exec(stderr) ?? [];
  const script = command.replace(/ \(the password.*/, '');
  execFileSync('sh', ['-euc', script], {
    env: {
      ...process.env,
      PATH: `${folder}:${process.env['PATH']}`,
      PGPASSWORD: decodeURIComponent(new URL(databaseUrl).password),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

it(
  'pg_dump of a database in use, and pg_restore into one that has other rows: keys work',
  { skip },
  async () => {
    using folders = openFolders();
    await using server = await openPostgresServer();
    const url = await server.createDatabase();
    const storage = await open(url);
    const { id } = await createAccount(storage.accounts, plans, { email: 'ann@example.com' }, NOW);
    const { secret } = await createKey(storage.keys, { accountId: id, name: 'test' }, NOW);
    const generated = await storage.access.findOrCreateSecret('sign-in', 'generated');
    process.umask(0o077);
    await runNamedCommand(['backup', folders.file], url);
    assert.equal(statSync(folders.file).mode & 0o077, 0, 'umask 077 makes it private');
    await storage.close();

    const target = await server.createDatabase();
    const before = await open(target);
    await createAccount(before.accounts, plans, { email: 'other@example.com' }, NOW);
    await before.close();
    await runNamedCommand(['restore', folders.file], target);
    const restored = await open(target);
    assert.ok(await restored.keys.findKeyBySecretHash(hashKeySecret(secret)));
    assert.equal(await restored.accounts.findAccountByEmail('other@example.com'), null);
    assert.equal(await restored.access.findOrCreateSecret('sign-in', 'another'), generated);
    await restored.close();
  },
);
