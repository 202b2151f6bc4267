import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { UsageBatch } from '#usage';
import { toRequestRow } from '../sql/request-log.ts';
import type { Schema } from '../sql/schema.ts';

/** Rows per insert: about a millisecond of the event loop. SQLite limits the number of parameters. */
const ROWS_PER_INSERT = 100;

/**
 * Creates the function that writes a batch in a transaction, in slices of about a millisecond. Statements are
 * compiled once, which takes longer than running them.
 */
export function createBatchWriter(
  db: Kysely<Schema>,
): (trx: Transaction<Schema>, batch: UsageBatch) => Promise<void> {
  const insertCounts = compileInserts((rows) => compileCounts(db, rows));
  const insertLatencies = compileInserts((rows) => compileLatencies(db, rows));
  const insertRequests = compileInserts((rows) => compileRequests(db, rows));
  const setLastUse = compileLastUse(db);

  return async (trx, { counts, latencies, requests, lastUsed }) => {
    await insertCounts(trx, counts, (count) => [
      count.accountId,
      count.bucketSize,
      count.bucketStartMs,
      count.keyId,
      count.operation,
      count.statusClass,
      count.requests,
    ]);
    await insertLatencies(trx, latencies, (latency) => [
      latency.accountId,
      latency.bucketStartMs,
      latency.operation,
      latency.ms,
      latency.requests,
    ]);
    await insertRequests(trx, requests, (request) => {
      const row = toRequestRow(request);
      return REQUEST_COLUMNS.map((column) => row[column]);
    });
    for (const keys of chunk([...lastUsed])) {
      for (const [keyId, atMs] of keys)
        await trx.executeQuery(CompiledQuery.raw(setLastUse, [atMs, keyId, atMs]));
      await setImmediate();
    }
  };
}

type InsertRows = <T>(
  trx: Transaction<Schema>,
  rows: readonly T[],
  toValues: (row: T) => unknown[],
) => Promise<void>;

/** Inserts rows with two statements, of 100 rows and of one; lets the event loop turn after each 100 rows. */
function compileInserts(compile: (rows: number) => string): InsertRows {
  const insertMany = compile(ROWS_PER_INSERT);
  const insertOne = compile(1);
  return async (trx, rows, toValues) => {
    for (const part of chunk(rows)) {
      if (part.length === ROWS_PER_INSERT)
        await trx.executeQuery(CompiledQuery.raw(insertMany, part.flatMap(toValues)));
      else for (const row of part) await trx.executeQuery(CompiledQuery.raw(insertOne, toValues(row)));
      await setImmediate();
    }
  };
}

const COUNT_KEY = [
  'account_id',
  'bucket_size',
  'bucket_start',
  'key_id',
  'operation',
  'status_class',
] as const;
const LATENCY_KEY = ['account_id', 'bucket_start', 'operation', 'ms'] as const;
const REQUEST_COLUMNS = [
  'id',
  'account_id',
  'key_id',
  'operation',
  'status',
  'ms',
  'request_id',
  'at',
] as const;

/** Compiles an insert of so many rows. Its parameters are the values in the order of the columns. */
function compileCounts(db: Kysely<Schema>, rows: number): string {
  return db
    .insertInto('usage_counts')
    .values(placeholders<Schema['usage_counts']>([...COUNT_KEY, 'requests'], rows))
    .onConflict((conflict) =>
      conflict.columns(COUNT_KEY).doUpdateSet((excluded) => ({
        requests: excluded.eb('usage_counts.requests', '+', excluded.ref('excluded.requests')),
      })),
    )
    .compile().sql;
}

function compileLatencies(db: Kysely<Schema>, rows: number): string {
  return db
    .insertInto('usage_latencies')
    .values(placeholders<Schema['usage_latencies']>([...LATENCY_KEY, 'requests'], rows))
    .onConflict((conflict) =>
      conflict.columns(LATENCY_KEY).doUpdateSet((excluded) => ({
        requests: excluded.eb('usage_latencies.requests', '+', excluded.ref('excluded.requests')),
      })),
    )
    .compile().sql;
}

function compileRequests(db: Kysely<Schema>, rows: number): string {
  return db
    .insertInto('usage_requests')
    .values(placeholders<Schema['usage_requests']>(REQUEST_COLUMNS, rows))
    .compile().sql;
}

/** Compiles the update of a last use. Its parameters: the time, the key id, the time. */
function compileLastUse(db: Kysely<Schema>): string {
  return db
    .updateTable('api_keys')
    .set({ last_used_at: 0 })
    .where('id', '=', '')
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', 0)]))
    .compile().sql;
}

/** Returns rows to compile with: their values do not matter. */
function placeholders<Row>(columns: readonly (keyof Row)[], rows: number): Row[] {
  const row = Object.fromEntries(columns.map((column) => [column, ''])) as Row;
  return Array.from({ length: rows }, () => row);
}

function* chunk<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    yield rows.slice(start, start + ROWS_PER_INSERT);
}
