/**
 * A table of the database is changed in all of its places: a migration, the list of migrations, the types of
 * the rows.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, it } from 'node:test';
import { openStorage } from '#storage';
import { buildAccount } from '../../src/accounts/create-account.ts';
import { type Node, parseSource } from '../../scripts/source/syntax-tree.ts';
import { findFiles, loadText } from './checkout.ts';

const [SCHEMA = ''] = findFiles('src/storage/**/schema.ts');
const folder = mkdtempSync(join(tmpdir(), 'utility-api-migrations-'));
let database: DatabaseSync;
before(async () => {
  await (await openStorage({ dataDir: folder, watchIntervalMs: 0 })).close();
  database = new DatabaseSync(join(folder, 'utility-api.db'), { readOnly: true });
});
after(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

it('each file in migrations/ is in the list and has run', () => {
  const files = findFiles('src/storage/**/migrations/*.ts').map((path) => basename(path, '.ts'));
  assert.ok(files.length > 1);
  const rows = database.prepare('select name from kysely_migration').all();
  const done = new Set(rows.map(({ name }) => String(name)));
  for (const name of files) assert.ok(done.has(name), `${name} is not in the list of migrate.ts`);
  assert.equal(done.size, files.length);
});

it('migrations are numbered in order, without gaps', () => {
  const numbers = findFiles('src/storage/**/migrations/*.ts')
    .map((path) => basename(path).slice(0, 5))
    .toSorted();
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => `${String(index + 1).padStart(4, '0')}-`),
  );
});

it('the types of the rows have the tables and columns that the migrations create', () => {
  const tables = database
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'kysely_%' and name not like 'sqlite_%'",
    )
    .all()
    .map(({ name }) => String(name));
  const schema = parseSchema();
  assertSame([...schema.keys()], tables, 'the table');
  for (const [table, columns] of schema) {
    const actual = database
      .prepare(`select name, "notnull" or pk > 0 as required from pragma_table_info(?)`)
      .all(table)
      .map(({ name, required }) => `${String(name)}${required ? '' : ' | null'}`);
    assertSame(columns, actual, `the column of ${table}:`);
  }
});

it('the deletion of an account deletes its rows in each table', async () => {
  const storage = await openStorage({ dataDir: folder, watchIntervalMs: 0 });
  await storage.accounts.insertAccount({
    ...buildAccount(
      new Map([['free', { limitPerMinute: 60, slots: null }]]),
      { email: 'gone@example.com' },
      1,
    ),
    id: 'gone',
  });
  const writer = new DatabaseSync(join(folder, 'utility-api.db'));
  const tables = writer
    .prepare(
      "select t.name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and c.name = 'account_id'",
    )
    .all()
    .map(({ name }) => String(name));
  assert.ok(tables.length > 5);
  for (const table of tables) {
    const columns = writer.prepare('select name from pragma_table_info(?)').all(table);
    const names = columns.map(({ name }) => String(name));
    const values = names.map((name) => (name === 'account_id' ? "'gone'" : '1'));
    writer.exec(`insert into ${table} (${names.join()}) values (${values.join()})`);
  }
  assert.equal(await storage.accounts.deleteAccount('gone'), true);
  for (const table of tables)
    assert.deepEqual(
      writer.prepare(`select 1 from ${table} where account_id = 'gone'`).all(),
      [],
      `${table}: rows of a deleted account remain; delete them in src/storage/sql/account-store.ts, or let account_id reference accounts.id with on delete cascade`,
    );
  writer.close();
  await storage.close();
});

function assertSame(inSchema: string[], inDatabase: string[], what: string): void {
  for (const name of inDatabase)
    assert.ok(inSchema.includes(name), `${what} ${name} is missing in ${SCHEMA}`);
  for (const name of inSchema)
    assert.ok(inDatabase.includes(name), `${what} ${name} of ${SCHEMA} has no migration`);
}

/** The columns by table, as interface Schema names them, each with `| null` if it may be null. */
function parseSchema(): Map<string, string[]> {
  const { program } = parseSource(SCHEMA, loadText(SCHEMA));
  const interfaces = new Map<string, Node>();
  for (const statement of program.body as Node[]) {
    const declared = statement.declaration as Node | undefined;
    if (declared?.type === 'TSInterfaceDeclaration')
      interfaces.set((declared.id as Node).name as string, declared.body as Node);
  }
  const tables = getMembers(interfaces.get('Schema')).map(({ name, type }): [string, string[]] => {
    const row =
      type.type === 'TSTypeReference' ? interfaces.get((type.typeName as Node).name as string) : type;
    return [name, getMembers(row).map((column) => `${column.name}${hasNull(column.type) ? ' | null' : ''}`)];
  });
  return new Map(tables);
}

/** The members of an interface body or of a type literal. */
function getMembers(body: Node | undefined): { name: string; type: Node }[] {
  const members = (body?.body ?? body?.members ?? []) as Node[];
  return members.map(({ key, typeAnnotation }) => ({
    name: (key as Node).name as string,
    type: (typeAnnotation as Node).typeAnnotation as Node,
  }));
}

function hasNull({ type, types }: Node): boolean {
  return type === 'TSUnionType' && (types as Node[]).some((one) => one.type === 'TSNullKeyword');
}
