/**
 * A migration leaves the release before it working, because replicas are replaced one by one: while a newer
 * replica has migrated the database, older ones read and write it.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { createSqliteDialect } from '../../src/storage/sqlite/sqlite-driver.ts';
import { findFiles } from './checkout.ts';

/** The last migration of the first release. What earlier ones changed met no older release. */
const FIRST_RELEASE = '0004-usage-batches';

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
}

/** The tables by name, with their columns and the columns that each unique index or key has. */
type Tables = Map<string, { columns: Column[]; unique: string[] }>;

/**
 * Returns what keeps statements of a release with the tables `before` from working on the tables `after`:
 * a table or column that is gone, a column that they do not fill, a uniqueness that they do not know.
 */
function findBreaks(before: Tables, after: Tables): string[] {
  const breaks: string[] = [];
  for (const [table, { columns, unique }] of before) {
    const now = after.get(table);
    if (!now) {
      breaks.push(`${table} is gone`);
      continue;
    }
    for (const { name, type, notnull } of columns) {
      const column = now.columns.find((other) => other.name === name);
      if (!column) breaks.push(`${table}.${name} is gone`);
      else if (column.type !== type) breaks.push(`${table}.${name} has another type`);
      else if (column.notnull > notnull) breaks.push(`${table}.${name} may no longer be null`);
    }
    for (const { name, notnull, dflt_value } of now.columns)
      if (!columns.some((other) => other.name === name) && notnull && dflt_value === null)
        breaks.push(`${table}.${name} is new and has no default`);
    for (const index of now.unique)
      if (!unique.includes(index)) breaks.push(`${table} (${index}) is newly unique`);
  }
  return breaks;
}

function loadTables(path: string): Tables {
  const db = new DatabaseSync(path, { readOnly: true });
  const names = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'kysely%'")
    .all();
  const tables: Tables = new Map();
  for (const name of names.map((row) => String(row['name']))) {
    const columns = db
      .prepare('select name, type, "notnull", dflt_value from pragma_table_info(?)')
      .all(name) as unknown as Column[];
    const unique = db
      .prepare(
        `select (select group_concat(c.name) from pragma_index_info(i.name) c) as columns from pragma_index_list(?) i where i."unique"`,
      )
      .all(name)
      .map((row) => String(row['columns']));
    tables.set(name, { columns, unique });
  }
  db.close();
  return tables;
}

async function loadMigrations(): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  for (const path of findFiles('src/storage/**/migrations/*.ts').toSorted())
    migrations[path.replace(/.*\/|\.ts$/g, '')] = (await import(`../../${path}`)) as Migration;
  return migrations;
}

async function migrateTo(path: string, migrations: Record<string, Migration>, name: string): Promise<Tables> {
  const db = new Kysely<unknown>({ dialect: createSqliteDialect(path) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateTo(name);
  await db.destroy();
  assert.equal(error, undefined);
  return loadTables(path);
}

it('each migration after the first release leaves the statements of the release before it working', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'compatible-'));
  try {
    const migrations = await loadMigrations();
    const names = Object.keys(migrations);
    assert.ok(names.includes(FIRST_RELEASE));
    const path = join(folder, 'test.db');
    let before = await migrateTo(path, migrations, FIRST_RELEASE);
    assert.ok(before.size > 10);
    for (const name of names.slice(names.indexOf(FIRST_RELEASE) + 1)) {
      const after = await migrateTo(path, migrations, name);
      assert.deepEqual(
        findBreaks(before, after),
        [],
        `${name}: replicas of the release before it would fail. CONTRIBUTING.md, "Migrations", has the two steps`,
      );
      before = after;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('finds each change that breaks the release before, and permits those that do not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compatible-'));
  try {
    const path = join(folder, 'test.db');
    const change = (sql: string): Tables => {
      const db = new DatabaseSync(path);
      db.exec(sql);
      db.close();
      return loadTables(path);
    };
    const cases: [sql: string, breaks: string[]][] = [
      ['create table b (id text primary key); alter table a add column c integer', []],
      ["alter table a add column d text not null default ''; create index i on a (d)", []],
      ['create unique index u on a (d)', ['a (d) is newly unique']],
      ['alter table a rename column c to e', ['a.c is gone']],
      ['drop table b', ['b is gone']],
      [
        'drop table a; create table a (id integer primary key, d text not null, e text not null, f text not null)',
        ['a.id has another type', 'a.e has another type', 'a.f is new and has no default'],
      ],
    ];
    let before = change('create table a (id text primary key)');
    for (const [sql, breaks] of cases) {
      const after = change(sql);
      assert.deepEqual(findBreaks(before, after), breaks, sql);
      before = after;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
