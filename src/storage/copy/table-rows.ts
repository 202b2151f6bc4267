import { hash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../sql/schema.ts';

/**
 * The tables to copy with their primary keys, in the order of their references. Not `key_changes`, which
 * counts the changes of one database, and not `usage_batches`, which only PostgreSQL uses.
 */
export const TABLE_KEYS = {
  accounts: ['id'],
  credentials: ['id'],
  sessions: ['id'],
  api_keys: ['id'],
  second_factors: ['id'],
  used_codes: ['account_id', 'code_hash'],
  links: ['token_hash'],
  verifications: ['id'],
  secrets: ['name'],
  audit_events: ['id'],
  usage_counts: ['account_id', 'bucket_size', 'bucket_start', 'key_id', 'operation', 'status_class'],
  usage_latencies: ['account_id', 'bucket_start', 'operation', 'ms'],
  usage_day_latencies: ['account_id', 'bucket_start', 'operation', 'ms'],
  usage_errors: ['account_id', 'bucket_size', 'bucket_start', 'key_id', 'operation', 'error'],
  usage_months: ['account_id', 'month_start', 'operation'],
  usage_requests: ['id'],
  quota_notices: ['account_id', 'month_start', 'percent'],
} as const satisfies Record<Exclude<keyof Schema, 'key_changes' | 'usage_batches'>, readonly string[]>;

export type CopiedTable = keyof typeof TABLE_KEYS;
export const COPIED_TABLES = Object.keys(TABLE_KEYS) as CopiedTable[];

export type Row = Readonly<Record<string, unknown>>;

/** The rows of a table: how many, and a digest that does not depend on their order. */
export interface TableDigest {
  table: CopiedTable;
  rows: number;
  /** The sum of the SHA-256 digests of all rows modulo 2^256, in hexadecimal. */
  digest: string;
}

const ROWS_PER_PAGE = 500;

/** Returns the names of a table's columns, sorted: databases may have them in different orders. */
export async function listColumns(db: Kysely<Schema>, table: CopiedTable): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const found = tables.find(({ name }) => name === table);
  return (found?.columns ?? []).map(({ name }) => name).toSorted();
}

/** Reads all rows of a table in pages, each after the last key of the page before it. */
export async function* readPages(
  db: Kysely<Schema>,
  table: CopiedTable,
  columns: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const key = TABLE_KEYS[table];
  const keyColumns = sql.join(key.map((column) => sql.ref(column)));
  for (let after: RawBuilder<unknown> = sql``; ;) {
    const query = sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
      ${after} order by ${keyColumns} limit ${sql.lit(ROWS_PER_PAGE)}`;
    const { rows } = await query.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = sql`where (${keyColumns}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}

/** Computes the digest of a table. */
export async function computeDigest(
  db: Kysely<Schema>,
  table: CopiedTable,
  columns: readonly string[],
): Promise<TableDigest> {
  let rows = 0;
  let sum = 0n;
  for await (const page of readPages(db, table, columns))
    for (const row of page) {
      rows += 1;
      sum += BigInt(`0x${hash('sha256', JSON.stringify(columns.map((column) => row[column])))}`);
    }
  return { table, rows, digest: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') };
}
