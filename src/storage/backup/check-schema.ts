import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { MIGRATION_NAMES, migrateTo } from '../sql/migrate.ts';
import type { Schema } from '../sql/schema.ts';
import { createSqliteDialect } from '../sqlite/sqlite-driver.ts';

/** The columns of each table. */
type Columns = ReadonlyMap<string, readonly string[]>;

/**
 * Checks that the database has what its migrations create, and nothing that would act by itself: a trigger
 * or a virtual table. Other tables, views and indexes of the operator are accepted. Throws an Error whose
 * message completes the sentence "<file> cannot be restored: …".
 */
export async function checkSchema(db: DatabaseSync, migrations: readonly string[]): Promise<void> {
  const missing = MIGRATION_NAMES.slice(0, migrations.length).find((name) => !migrations.includes(name));
  if (missing !== undefined) throw new Error(`it lacks the migration ${missing} of its schema`);
  const active = findActiveObject(db);
  if (active !== null)
    throw new Error(
      `it has the ${active}, which the service does not create and which could change its data`,
    );
  const found = listColumns(db);
  for (const [table, columns] of await computeColumns(migrations)) {
    const foundColumns = found.get(table);
    if (foundColumns === undefined) throw new Error(`it lacks the table ${table}`);
    const column = columns.find((name) => !foundColumns.includes(name));
    if (column !== undefined) throw new Error(`its table ${table} lacks the column ${column}`);
  }
}

/** Returns the type and name of an object that runs statements or code of its own; null if there is none. */
function findActiveObject(db: DatabaseSync): string | null {
  const found = db
    .prepare(
      "select case type when 'table' then 'virtual table' else type end as type, name from sqlite_schema where type = 'trigger' or (type = 'table' and rootpage = 0) order by name limit 1",
    )
    .get();
  return found === undefined ? null : `${String(found['type'])} ${String(found['name'])}`;
}

function listColumns(db: DatabaseSync): Columns {
  const rows = db
    .prepare(
      "select t.name as name, json_group_array(c.name) as columns from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' group by t.name",
    )
    .all();
  return new Map(rows.map(({ name, columns }) => [String(name), JSON.parse(String(columns)) as string[]]));
}

/** Runs the migrations on an empty database in memory. */
async function computeColumns(migrations: readonly string[]): Promise<Columns> {
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(':memory:') });
  try {
    await migrateTo(db, migrations.at(-1) ?? '');
    const tables = await db.introspection.getTables();
    return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
  } finally {
    await db.destroy();
  }
}
