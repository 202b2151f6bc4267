import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { UsageBatch } from '#usage';
import { REQUEST_COLUMNS, toRequestRow } from '../sql/request-rows.ts';
import type { Schema } from '../sql/schema.ts';
import {
  compileCounts,
  compileErrors,
  compileLastUse,
  compileLatencies,
  compileMonths,
  compileRequests,
} from './usage-inserts.ts';

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
