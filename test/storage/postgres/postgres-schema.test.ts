/** The database and the schema that the service may use, and those that it refuses. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createAccount } from '#accounts';
import { copyDatabase, openStorage, type PostgresOptions, type Storage } from '#storage';
import { openPostgresServer, skipPostgres, type TestPostgres } from '../../support/postgres.ts';

const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);

describe('a PostgreSQL database that is not empty, or unsuitable', { skip: skipPostgres }, () => {
  let server: TestPostgres;
  before(async () => {
    server = await openPostgresServer();
  });
  after(() => server[Symbol.asyncDispose]());
  const createOptions = (url: string): PostgresOptions => ({
    url,
    poolSize: 2,
    statementTimeoutMs: 5_000,
    now: Date.now,
  });
  const open = (url: string): Promise<Storage> =>
    openStorage({ dataDir: '', watchIntervalMs: 0, postgres: createOptions(url) });

  it('the schema of the search path is used, beside the tables of other programs in other schemas', async () => {
    const url = await server.createDatabase();
    await server.query('create schema one; create schema two; create table public.accounts (x int)', url);
    for (const schema of ['one', 'two']) {
      const storage = await open(`${url}?options=-c%20search_path%3D${schema}`);
      await createAccount(storage.accounts, plans, { email: `${schema}@example.com` }, 1);
      await storage.close();
    }
    for (const schema of ['one', 'two'])
      assert.deepEqual(await server.query(`select email from ${schema}.accounts`, url), [
        { email: `${schema}@example.com` },
      ]);
  });

  it('an embedded database is copied into the schema of the search path', async () => {
    const url = await server.createDatabase();
    await server.query('create schema a; create schema own; create table a.accounts (x text)', url);
    const dataDir = await mkdtemp(join(tmpdir(), 'utility-api-schema-'));
    try {
      const embedded = await openStorage({ dataDir, watchIntervalMs: 0 });
      await createAccount(embedded.accounts, plans, { email: 'owner@example.com' }, 1);
      await embedded.close();
      const postgres = createOptions(`${url}?options=-c%20search_path%3Down`);
      const { isChanged } = await copyDatabase({ dataDir, postgres, replace: false });
      assert.equal(isChanged, true);
      assert.equal((await server.query('select 1 from own.accounts', url)).length, 1);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

  it('a schema with a table of another program is an error that names the table, and stays as it is', async () => {
    const url = await server.createDatabase();
    await server.query('create table accounts (x int)', url);
    await assert.rejects(open(url), /cannot be used: relation "accounts" already exists/);
    const tables = await server.query("select 1 from pg_tables where schemaname = 'public'", url);
    assert.equal(tables.length, 1);
  });

  it('an encoding other than UTF8 is an error that says so', async () => {
    const name = `latin_${process.pid}`;
    await server.query(
      `create database ${name} encoding 'LATIN1' template template0 locale_provider libc locale 'C'`,
    );
    const url = Object.assign(new URL(await server.createDatabase()), { pathname: `/${name}` }).href;
    try {
      await assert.rejects(open(url), /its encoding is LATIN1, and UTF8 is needed/);
    } finally {
      await server.query(`drop database ${name} with (force)`);
    }
  });
});
