import { open, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { findUnknownMigration } from '../sql/migrate.ts';
import { checkSchema } from './check-schema.ts';

/** The contents of a database file. */
export interface DatabaseContents {
  /** The newest migration that has run. */
  schema: string;
  tables: TableRows[];
}

export interface TableRows {
  table: string;
  rows: number;
}

/** Messages of `pragma integrity_check` that are shown of a damaged file. */
const SHOWN_FAULTS = 3;

/**
 * Checks that the file is a whole backup of this service, of a schema that this release knows, and returns
 * its contents. Throws an Error whose message completes the sentence "<file> cannot be restored: …".
 */
export async function inspectBackup(path: string): Promise<DatabaseContents> {
  await assertHeader(path);
  const { size } = await stat(path);
  return openReadOnly(path, async (db) => {
    const faults = listFaults(db, size);
    if (faults.length > 0) throw new Error(`it is damaged: ${faults.join('; ')}`);
    const migrations = listMigrations(db);
    const unknown = findUnknownMigration(migrations);
    if (unknown !== null)
      throw new Error(
        `it is of a newer release: this release does not know its migration ${unknown}. Run this command with that release or a newer one`,
      );
    await checkSchema(db, migrations);
    return { schema: migrations.at(-1) ?? '', tables: countRows(db) };
  });
}

/** Returns the number of rows of each table of the service, by name. */
export function countRows(db: DatabaseSync): TableRows[] {
  const tables = db
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like 'kysely\\_%' escape '\\' order by name",
    )
    .all();
  return tables.map(({ name }) => {
    const table = String(name);
    const { rows } = db.prepare(`select count(*) as rows from "${table.replaceAll('"', '""')}"`).get() ?? {};
    return { table, rows: Number(rows) };
  });
}

/** The header of a database file: https://www.sqlite.org/fileformat.html#the_database_header */
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const WRITE_VERSION = 18;
const WRITE_AHEAD_LOG = 2;

async function assertHeader(path: string): Promise<void> {
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = await open(path, 'r');
  try {
    await handle.read(header, 0, HEADER_BYTES, 0);
  } finally {
    await handle.close();
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new Error('it is not a backup: it is no SQLite database');
  // Its latest rows may be in a file beside it. A backup has none.
  if (header[WRITE_VERSION] === WRITE_AHEAD_LOG)
    throw new Error(
      'it is not a backup but the copy of a database in use, which may be incomplete. Make a backup with «backup»',
    );
}

async function openReadOnly<T>(path: string, act: (db: DatabaseSync) => Promise<T>): Promise<T> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    // What the schema of the file calls is not the service's.
    db.exec('pragma trusted_schema = off');
    return await act(db);
  } finally {
    db.close();
  }
}

function listFaults(db: DatabaseSync, bytes: number): string[] {
  try {
    // SQLite reads zeros in place of a missing end.
    const whole = Number(
      db.prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size').get()?.[
        'bytes'
      ],
    );
    if (bytes !== whole) return [`it has ${bytes} bytes instead of ${whole}`];
    const rows = db.prepare(`pragma integrity_check(${SHOWN_FAULTS})`).all();
    const faults = rows.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok');
    if (faults.length > 0) return faults;
    const orphans = db.prepare('pragma foreign_key_check').all().slice(0, SHOWN_FAULTS);
    return orphans.map(({ table, parent }) => `a row of ${String(table)} has no row of ${String(parent)}`);
  } catch (error) {
    return [(error as Error).message];
  }
}

function listMigrations(db: DatabaseSync): string[] {
  try {
    const rows = db.prepare('select name from kysely_migration order by name').all();
    if (rows.length > 0) return rows.map(({ name }) => String(name));
  } catch {
    // The table does not exist.
  }
  throw new Error('it is not a backup of this service: it is another SQLite database');
}
