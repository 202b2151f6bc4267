/**
 * The statements that store usage. Each insert takes so many rows; its parameters are the values in the order
 * of the columns.
 */
import type { Kysely } from 'kysely';
import { REQUEST_COLUMNS } from '../sql/request-rows.ts';
import type { Schema } from '../sql/schema.ts';

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

export function compileCounts(db: Kysely<Schema>, rows: number): string {
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

export function compileLatencies(
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

export function compileErrors(db: Kysely<Schema>, rows: number): string {
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

export function compileMonths(db: Kysely<Schema>, rows: number): string {
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

export function compileRequests(db: Kysely<Schema>, rows: number): string {
  return db
    .insertInto('usage_requests')
    .values(placeholders<Schema['usage_requests']>(REQUEST_COLUMNS, rows))
    .compile().sql;
}

/** Compiles the update of a last use. Its parameters: the time, the key id, the time. */
export function compileLastUse(db: Kysely<Schema>): string {
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
