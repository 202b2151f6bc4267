import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createKeyAuthenticator, isKeySecret } from '#accounts';
import { runCli, type CliResult } from '#cli';
import { openStorage, type Storage } from '#storage';
import { scaledMs } from '../support/patience.ts';

const plans = new Map([
  ['free', { limitPerMinute: 60, slots: 2 }],
  ['pro', { limitPerMinute: 600, slots: null }],
]);
const NOW = Date.UTC(2026, 5, 1);

/** The commands of this file use the open database. */
function noFiles(): never {
  throw new Error('the files of the database were requested');
}

describe('npm run admin', () => {
  let storage: Storage;
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cli-'));
    storage = await openStorage({ dataDir });
  });
  after(async () => {
    await storage.close();
    await rm(dataDir, { recursive: true });
  });

  const run = (line: string): Promise<CliResult> =>
    runCli(
      line.split(' ').filter(Boolean),
      async () => ({
        ...storage,
        plans,
        dataDir,
        origin: 'http://service.example',
        readReadiness: async () => null,
        copyDatabase: null,
        now: () => NOW,
      }),
      noFiles,
    );
  const refuses = async (line: string, exitCode: number, message: RegExp): Promise<void> => {
    const result = await run(line);
    assert.equal(result.exitCode, exitCode, line);
    assert.equal(result.stdout, '');
    assert.match(result.stderr, message);
    assert.equal(result.stderr.trim().split('\n').length, 1, 'one sentence');
  };

  it('keys create prints only the key and creates the account if it does not exist', async () => {
    const { stdout, stderr, exitCode } = await run('keys create --email ann@example.com --plan pro');
    assert.equal(exitCode, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /^ua_live_[0-9A-Za-z]{38}\n$/);
    assert.ok(isKeySecret(stdout.trim()));
    assert.equal((await storage.accounts.findAccountByEmail('ann@example.com'))?.plan, 'pro');
  });

  it('--plan is the plan of a new account and must match that of an existing one', async () => {
    assert.equal((await run('keys create --email ann@example.com --plan pro')).exitCode, 0);
    assert.equal((await run('keys create --email ann@example.com')).exitCode, 0);
    await refuses('keys create --email ann@example.com --plan free', 1, /has the plan pro, not free/);
    await refuses(
      'keys create --email new@example.com --plan gold',
      1,
      /no plan «gold»: the plans are free, pro/,
    );
    assert.equal(await storage.accounts.findAccountByEmail('new@example.com'), null);
  });

  it('--json prints the key, its id and its account', async () => {
    const { stdout } = await run(
      'keys create --email json@example.com --name ci --expires 2030-01-31 --operations getMetadata --client-cidrs 10.0.0.0/8,::1 --json',
    );
    const { id, key, ...rest } = JSON.parse(stdout);
    assert.match(id, /^key_/);
    assert.ok(isKeySecret(key));
    assert.deepEqual(rest, {
      email: 'json@example.com',
      name: 'ci',
      prefix: key.slice(0, 12),
      last_four: key.slice(-4),
      status: 'active',
      operations: ['getMetadata'],
      client_cidrs: ['10.0.0.0/8', '::1/128'],
      created_at: '2026-06-01T00:00:00Z',
      last_used_at: null,
      expires_at: '2030-01-31T00:00:00Z',
      revoked_at: null,
      rotated_to: null,
      plan: 'free',
    });
  });

  it('accounts are created, listed and get another plan', async () => {
    assert.match(
      (await run('accounts create Bob@Example.com --plan pro')).stdout,
      /^Created the account bob@example.com \(plan pro\)/,
    );
    await refuses('accounts create bob@example.com', 1, /already/);
    assert.match(
      (await run('accounts create bob@example.com --admin')).stdout,
      /administrator now\. The address has not been confirmed since/,
    );
    const { id } = (await storage.accounts.findAccountByEmail('bob@example.com'))!;
    const [promotion] = await storage.access.listAuditEvents(id, undefined, 1);
    assert.equal(promotion?.event, 'account.made_administrator');
    assert.equal(
      (await run('accounts set-plan bob@example.com free')).stdout,
      'bob@example.com has the plan free now: 60 requests per minute and key, at most 2 documents rendered and 16 other requests at once.\n',
    );
    assert.match(
      (await run('accounts set-plan bob@example.com pro')).stdout,
      /pro now: \d+ requests per minute and key, concurrency derived from the machine\.\n$/,
    );
    await run('accounts set-plan bob@example.com free');
    const list = JSON.parse((await run('accounts list --json')).stdout);
    const bob = list.find(({ email }: { email: string }) => email === 'bob@example.com');
    assert.equal(bob.admin, true);
    assert.equal(bob.plan, 'free');
    assert.match((await run('accounts list')).stdout, /^EMAIL +PLAN +STATUS +KEYS +LAST USED +CREATED\n/);
  });

  for (const total of [1_000, 1_001])
    it(`accounts list shows each of ${total} accounts one time, newest first, over pages of 500`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'cli-pages-'));
      const many = await openStorage({ dataDir });
      const db = new DatabaseSync(join(dataDir, 'utility-api.db'));
      const insert = db.prepare(
        "insert into accounts (id, email, name, email_verified, plan, admin, disabled, created_at, updated_at) values (?, ?, '', 1, 'free', 0, 0, ?, 0)",
      );
      db.exec('begin');
      // Seven accounts share each time of creation, across the borders of pages too.
      for (let n = 0; n < total; n++) {
        const id = `acc_${String(n).padStart(5, '0')}`;
        insert.run(id, `${id}@example.com`, NOW + Math.floor(n / 7) * 1_000);
      }
      db.exec('commit');
      db.close();
      const { stdout } = await runCli(
        ['accounts', 'list', '--json'],
        async () => ({
          ...many,
          origin: 'http://service.example',
          readReadiness: async () => null,
          copyDatabase: null,
          plans,
          dataDir,
          now: () => NOW,
        }),
        noFiles,
      );
      const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
      await many.close();
      await rm(dataDir, { recursive: true });
      assert.equal(ids.length, total);
      assert.deepEqual(ids, [...new Set(ids)].toSorted().toReversed());
    });

  it('an unverified account is marked, and set-plan prints a warning for it', async () => {
    await run('accounts create doubt@example.com');
    await run('accounts create proven@example.com');
    const { id } = (await storage.accounts.findAccountByEmail('proven@example.com'))!;
    await storage.accounts.updateAccount(id, { emailVerified: true }, NOW);
    const list = (await run('accounts list')).stdout;
    assert.match(list, /^doubt@example\.com +free +unverified +0/m);
    assert.match(list, /^proven@example\.com +free +0/m);
    const json = JSON.parse((await run('accounts list --json')).stdout) as Record<string, unknown>[];
    assert.deepEqual(
      json
        .filter(({ email }) => /^(doubt|proven)@/.test(String(email)))
        .map((account) => `${String(account['email'])} ${String(account['email_verified'])}`)
        .toSorted(),
      ['doubt@example.com false', 'proven@example.com true'],
    );
    for (const flag of ['', ' --json']) {
      const doubtful = await run(`accounts set-plan doubt@example.com pro${flag}`);
      assert.equal(doubtful.exitCode, 0);
      assert.match(doubtful.stderr, /^Warning: the address doubt@example\.com is not verified, so .*\n$/);
      if (flag !== '') assert.equal(JSON.parse(doubtful.stdout).email_verified, false);
      const proven = await run(`accounts set-plan proven@example.com pro${flag}`);
      assert.deepEqual([proven.exitCode, proven.stderr], [0, '']);
    }
  });

  it('keys are listed and revoked', async () => {
    await run('keys create --email carol@example.com');
    const [key] = JSON.parse((await run('keys list --email carol@example.com --json')).stdout);
    assert.equal(key.status, 'active');
    assert.ok(!('secret_hash' in key));
    assert.match((await run(`keys revoke ${key.id}`)).stdout, /^Revoked the key/);
    assert.match((await run(`keys revoke ${key.id}`)).stdout, /was revoked before/);
    assert.equal(
      JSON.parse((await run('keys list --email carol@example.com --json')).stdout)[0].status,
      'revoked',
    );
    assert.match((await run('keys list')).stdout, new RegExp(`${key.id} +carol@example.com .*revoked`));
  });

  for (const [line, exitCode, message] of [
    ['keys create', 2, /--email is missing. Usage: keys create/],
    ['keys create --email', 2, /--email.*Usage/],
    ['keys create --email nonsense', 1, /«nonsense» is not an email address/],
    ['keys create --email a@example.com --expires soon', 2, /--expires must be a time/],
    ['keys create --email a@example.com --expires 2999-02-30', 2, /--expires must be a time/],
    ['keys create --email a@example.com --expires 2020-01-01', 1, /future/],
    ['keys create --email a@example.com --operations all', 1, /operations must be/],
    ['keys create --emial a@example.com', 2, /--emial.*Usage/],
    ['keys create a@example.com --email a@example.com', 2, /one argument too many/],
    ['keys revoke', 2, /<id> is missing/],
    ['keys revoke key_nothing', 1, /no key key_nothing/],
    ['keys list --email nobody@example.com', 1, /no account with the address/],
    ['accounts create', 2, /<email> is missing/],
    ['accounts set-plan ann@example.com', 2, /<plan> is missing/],
    ['accounts set-plan ann@example.com gold', 1, /no plan «gold»/],
    ['accounts set-plan nobody@example.com free', 1, /no account/],
    ['accounts reset-second-factor', 2, /<email> is missing/],
    ['accounts reset-second-factor nobody@example.com', 1, /no account/],
    ['accounts reset-second-factor ann@example.com', 1, /has no second factor/],
    ['accounts destroy ann@example.com', 2, /no command «accounts destroy»/],
    ['lists', 1, /The service has not run with the folder .*: start it, or set DATA_DIR as it does/],
    ['lists accept', 1, /The service has not run/],
    ['lists nonsense', 2, /«nonsense» is one argument too many. Usage: lists/],
    ['lists accept all', 2, /«all» is one argument too many. Usage: lists accept/],
    ['nonsense', 2, /no command «nonsense»/],
  ] as const)
    it(`one sentence and exit code ${exitCode}: ${line}`, () => refuses(line, exitCode, message));

  it('every command has its help, without touching the database', async () => {
    const closed = (line: string) =>
      runCli(line.split(' '), () => Promise.reject(new Error('opened')), noFiles);
    for (const name of [
      'accounts create',
      'accounts list',
      'accounts set-plan',
      'accounts reset-second-factor',
      'keys create',
      'keys list',
      'keys revoke',
      'lists',
      'lists accept',
      'database copy',
      'backup',
      'restore',
    ]) {
      const { stdout, exitCode } = await closed(`${name} --help`);
      assert.equal(exitCode, 0);
      assert.ok(stdout.startsWith(`Usage: npm run --silent admin -- ${name}`));
    }
    for (const line of ['--help', '-h', 'help', 'keys --help', 'keys -h', 'accounts'])
      assert.equal((await closed(line)).exitCode, 0, line);
    assert.equal((await runCli([], () => Promise.reject(new Error('opened')), noFiles)).exitCode, 2);
  });

  it('as a process, while a server runs, which refuses a revoked key within 5 s', async () => {
    const admin = (...args: string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
        const env = { ...process.env, DATA_DIR: dataDir };
        execFile(process.execPath, [main, ...args], { env }, (error, stdout) =>
          error ? reject(error) : resolve(stdout),
        );
      });
    const keys = createKeyAuthenticator({ store: storage.keys, plans, now: Date.now });
    storage.onKeyChange((accountId) => keys.forget(accountId));
    const secret = (await admin('keys', 'create', '--email', 'live@example.com')).trim();
    const caller = await keys.authenticate(secret);
    assert.ok(caller);
    await admin('keys', 'revoke', caller.keyId);
    const revokedMs = performance.now();
    while (await keys.authenticate(secret)) {
      assert.ok(performance.now() - revokedMs < scaledMs(5_000), 'still accepted after 5 s');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

it('a folder without a database is an error that names it, unless the command creates an account or a key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cli-empty-'));
  const run = (...args: string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args], {
      env: { PATH: process.env['PATH'], DATA_DIR: folder },
    });
  try {
    await assert.rejects(run('accounts', 'list'), {
      code: 1,
      stderr: new RegExp(`no database in ${folder}: set DATA_DIR`),
    });
    await run('accounts', 'create', 'ann@example.com');
    assert.match((await run('accounts', 'list')).stdout, /ann@example\.com/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
