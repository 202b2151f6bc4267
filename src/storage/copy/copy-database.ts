import { open } from 'node:fs/promises';
import { Kysely, sql, type Transaction } from 'kysely';
import { ApiError } from '#errors';
import { SCHEMA_LOCK } from '../postgres/migrate-postgres.ts';
import type { PostgresOptions } from '../postgres/postgres-options.ts';
import { KEY_CHANNEL } from '../sql/key-store.ts';
import type { Schema } from '../sql/schema.ts';
import { shareDatabase } from '../sqlite/file-lock.ts';
import { getSqlitePath } from '../sqlite/open-sqlite.ts';
import { createSqliteDialect } from '../sqlite/sqlite-driver.ts';
import {
  computeDigest,
  COPIED_TABLES,
  type CopiedTable,
  listColumns,
  readPages,
  type TableDigest,
} from './table-rows.ts';

export type TableCopy = TableDigest;

/** A finished copy. Both databases have these rows. */
export interface DatabaseCopy {
  source: string;
  target: string;
  /** False if the target had the same rows before. */
  isChanged: boolean;
  tables: TableCopy[];
}

export interface DatabaseCopyOptions {
  /** The folder of the embedded database. */
  dataDir: string;
  postgres: PostgresOptions;
  /** True to delete what the target contains. */
  replace: boolean;
}

/** The deletion of what a large target contains may take minutes. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/**
 * Copies the embedded database into PostgreSQL in one transaction, and compares the rows of both. A failure
 * changes nothing. Repeatable: a target with the same rows is left as it is. Throws `invalid_parameter` if
 * the target has other accounts or usage and `replace` is false, if the schemas differ, or if there is no
 * embedded database.
 */
export async function copyDatabase({
  dataDir,
  postgres,
  replace,
}: DatabaseCopyOptions): Promise<DatabaseCopy> {
  const { connectPostgres } = await import('../postgres/open-postgres.ts');
  const { describeServer } = await import('../postgres/postgres-options.ts');
  const path = getSqlitePath(dataDir);
  await assertExists(path);
  const lock = await shareDatabase(dataDir);
  const source = new Kysely<Schema>({ dialect: createSqliteDialect(path) });
  try {
    const { db: target, close } = await connectPostgres({
      ...postgres,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    try {
      await assertSameSchema(source, target);
      // The write lock of the source: nothing is written to it that the copy would miss.
      const result = await source
        .transaction()
        .execute((from) => target.transaction().execute((to) => copyTables(from, to, replace)));
      return { source: path, target: describeServer(postgres.url), ...result };
    } finally {
      await close();
    }
  } finally {
    await source.destroy();
    lock.release();
  }
}

async function assertExists(path: string): Promise<void> {
  try {
    await (await open(path, 'r+')).close();
  } catch (error) {
    throw refusal(
      `There is no database to copy: ${(error as Error).message}. Set DATA_DIR as the service does.`,
    );
  }
}

async function assertSameSchema(source: Kysely<Schema>, target: Kysely<Schema>): Promise<void> {
  const list = async (db: Kysely<Schema>): Promise<string> => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name).join(', ');
  };
  const [from, to] = [await list(source), await list(target)];
  if (from !== to)
    throw refusal(
      `The schema of the embedded database (${from}) is not that of PostgreSQL (${to}): start this release of the service with the embedded database once, then copy.`,
    );
}

async function copyTables(
  from: Transaction<Schema>,
  to: Transaction<Schema>,
  replace: boolean,
): Promise<Pick<DatabaseCopy, 'isChanged' | 'tables'>> {
  await lockTarget(to);
  const tables = await computeDigests(from);
  const before = await computeDigests(to);
  if (isSame(tables, before)) return { isChanged: false, tables };
  if (!replace) assertUnused(before);
  for (const table of COPIED_TABLES.toReversed()) await to.deleteFrom(table).execute();
  for (const table of COPIED_TABLES) await copyRows(from, to, table);
  const after = await computeDigests(to);
  if (!isSame(tables, after))
    throw new Error(
      `The rows of ${listDifferent(tables, after)} differ after the copy: nothing was changed.`,
    );
  // Services that run on the target query their keys again.
  await to
    .updateTable('key_changes')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .execute();
  await sql`select pg_notify(${KEY_CHANNEL}, '')`.execute(to);
  return { isChanged: true, tables };
}

/** Keeps migrations, other copies and writes away until the transaction ends. A copy may take minutes. */
async function lockTarget(to: Transaction<Schema>): Promise<void> {
  // A service that writes to the target all the time is an error, not a reason to wait.
  await sql`set local lock_timeout = '10s'`.execute(to);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(to);
  await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(to);
  const tables = sql.join(COPIED_TABLES.map((table) => sql.table(table)));
  await sql`lock table ${tables} in exclusive mode`.execute(to);
}

async function computeDigests(db: Transaction<Schema>): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const table of COPIED_TABLES)
    digests.push(await computeDigest(db, table, await listColumns(db, table)));
  return digests;
}

async function copyRows(
  from: Transaction<Schema>,
  to: Transaction<Schema>,
  table: CopiedTable,
): Promise<void> {
  for await (const rows of readPages(from, table, await listColumns(from, table)))
    await to.insertInto(table).values(rows).execute();
}

/** Throws if the target has been used. A service that has only been started has secrets and a set-up link. */
function assertUnused(before: readonly TableDigest[]): void {
  const used = before.filter(({ table, rows }) => rows > 0 && table !== 'secrets' && table !== 'links');
  if (used.length === 0) return;
  const found = used.map(({ table, rows }) => `${table}: ${rows}`).join(', ');
  throw refusal(
    `The target has other rows (${found}): choose an empty database, or delete these rows by --replace.`,
  );
}

function isSame(a: readonly TableDigest[], b: readonly TableDigest[]): boolean {
  return listDifferent(a, b) === '';
}

function listDifferent(a: readonly TableDigest[], b: readonly TableDigest[]): string {
  const different = a.filter(({ rows, digest }, n) => rows !== b[n]?.rows || digest !== b[n]?.digest);
  return different.map(({ table }) => table).join(', ');
}

function refusal(message: string): ApiError {
  return new ApiError('invalid_parameter', message);
}
