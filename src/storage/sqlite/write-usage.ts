import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { UsageBatch } from '#usage';
import { REQUEST_COLUMNS, toRequestRow } from '../sql/request-log.ts';
import type { Schema } from '../sql/schema.ts';

/**
 * The statements that store usage. Each insert takes so many rows; its parameters are the values in the order
 * of the columns.
 */
const COUNT_KEY = [
  'account_id',
  'bucket_size',
  'bucket_start',
  'key_id',
  'operation',
  'status_class',
] as const;
const LATENCY_KEY = ['account_id', 'bucket_start', 'operation', 'ms'] as const;
const ERROR_KEY = ['account_id', 'bucket_size', 'bucket_start', 'key_id', 'operation', 'error'] as const;
const MONTH_KEY = ['account_id', 'month_start', 'operation'] as const;

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

function compileLatencies(
  db: Kysely<Schema>,
  table: 'usage_latencies' | 'usage_day_latencies',
  rows: number,
): string {
  return db
    .insertInto(table)
    .values(placeholders<Schema['usage_latencies']>([...LATENCY_KEY, 'requests'], rows))
    .onConflict((conflict) =>
      conflict.columns(LATENCY_KEY).doUpdateSet((excluded) => ({
        requests: excluded.eb(excluded.ref(`${table}.requests`), '+', excluded.ref('excluded.requests')),
      })),
    )
    .compile().sql;
}

function compileErrors(db: Kysely<Schema>, rows: number): string {
  return db
    .insertInto('usage_errors')
    .values(placeholders<Schema['usage_errors']>([...ERROR_KEY, 'requests'], rows))
    .onConflict((conflict) =>
      conflict.columns(ERROR_KEY).doUpdateSet((excluded) => ({
        requests: excluded.eb('usage_errors.requests', '+', excluded.ref('excluded.requests')),
      })),
    )
    .compile().sql;
}

function compileMonths(db: Kysely<Schema>, rows: number): string {
  return db
    .insertInto('usage_months')
    .values(placeholders<Schema['usage_months']>([...MONTH_KEY, 'requests', 'errors', 'units'], rows))
    .onConflict((conflict) =>
      conflict.columns(MONTH_KEY).doUpdateSet(({ eb, ref }) => ({
        requests: eb('usage_months.requests', '+', ref('excluded.requests')),
        errors: eb('usage_months.errors', '+', ref('excluded.errors')),
        units: eb('usage_months.units', '+', ref('excluded.units')),
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

/** Rows per insert: about a millisecond of the event loop. SQLite limits the number of parameters. */
const ROWS_PER_INSERT = 100;

/**
 * Creates the function that writes a batch in a transaction, in slices of about a millisecond. Statements are
 * compiled once, which takes longer than running them.
 */
function createBatchWriter(
  db: Kysely<Schema>,
): (trx: Transaction<Schema>, batch: UsageBatch) => Promise<void> {
  const insertCounts = compileInserts((rows) => compileCounts(db, rows));
  const insertLatencies = compileInserts((rows) => compileLatencies(db, 'usage_latencies', rows));
  const insertDayLatencies = compileInserts((rows) => compileLatencies(db, 'usage_day_latencies', rows));
  const insertErrors = compileInserts((rows) => compileErrors(db, rows));
  const insertMonths = compileInserts((rows) => compileMonths(db, rows));
  const insertRequests = compileInserts((rows) => compileRequests(db, rows));
  const setLastUse = compileLastUse(db);

  return async (trx, { counts, latencies, errors, months, requests, lastUsed }) => {
    await insertCounts(trx, counts, (count) => [
      count.accountId,
      count.bucketSize,
      count.bucketStartMs,
      count.keyId,
      count.operation,
      count.statusClass,
      count.requests,
    ]);
    for (const [size, insert] of [
      ['hour', insertLatencies],
      ['day', insertDayLatencies],
    ] as const)
      await insert(
        trx,
        latencies.filter(({ bucketSize }) => bucketSize === size),
        ({ accountId, bucketStartMs, operation, ms, requests: count }) => [
          accountId,
          bucketStartMs,
          operation,
          ms,
          count,
        ],
      );
    await insertErrors(trx, errors, (count) => [
      count.accountId,
      count.bucketSize,
      count.bucketStartMs,
      count.keyId,
      count.operation,
      count.error,
      count.requests,
    ]);
    await insertMonths(trx, months, (month) => [
      month.accountId,
      month.monthStartMs,
      month.operation,
      month.requests,
      month.errors,
      month.units,
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

function* chunk<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    yield rows.slice(start, start + ROWS_PER_INSERT);
}

/** Rows after which the write-ahead log is copied into the database: each row may change several pages. */
const ROWS_PER_CHECKPOINT = 500;

/**
 * Creates the functions that write a batch in a transaction, and that call `checkpoint`, which copies the
 * write-ahead log into the database, after many rows have changed.
 */
export function createSqliteUsageWriter(
  db: Kysely<Schema>,
  checkpoint: () => Promise<void>,
): {
  write: (batch: UsageBatch) => Promise<void>;
  onChange: (rows: number) => Promise<void>;
} {
  const writeBatch = createBatchWriter(db);
  let rowsInLog = 0;

  async function onChange(rows: number): Promise<void> {
    rowsInLog += rows;
    if (rowsInLog < ROWS_PER_CHECKPOINT) return;
    rowsInLog = 0;
    // In another turn of the event loop than the commit.
    await setImmediate();
    await checkpoint();
  }

  return {
    async write(batch) {
      await db.transaction().execute((trx) => writeBatch(trx, batch));
      const { counts, latencies, errors, months, requests, lastUsed } = batch;
      const sums = counts.length + latencies.length + errors.length + months.length;
      await onChange(sums + requests.length + lastUsed.size);
    },
    onChange,
  };
}
