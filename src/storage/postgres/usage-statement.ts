import { CompiledQuery, type Kysely } from 'kysely';
import type { UsageBatch } from '#usage';
import { REQUEST_COLUMNS, createSortedId, toRequestRow } from '../sql/request-log.ts';
import type { Schema, UsageRequestRow } from '../sql/schema.ts';

const REQUEST_TYPES = {
  id: 'text',
  account_id: 'text',
  key_id: 'text',
  operation: 'text',
  status: 'integer',
  ms: 'integer',
  request_id: 'text',
  at: 'bigint',
  error: 'text',
  param: 'text',
  route: 'text',
  timeout_ms: 'integer',
  units: 'integer',
  limit_per_minute: 'integer',
  limit_remaining: 'integer',
  failed_items: 'integer',
  phases: 'text',
} as const satisfies Record<keyof UsageRequestRow, string>;

/** The columns of one list of a batch: the type of each in SQL, and its value in a row. */
type Columns<Row> = readonly (readonly [type: 'text' | 'integer' | 'bigint', get: (row: Row) => unknown])[];

/** The list that each part of the statement reads. */
const LISTS = {
  counts: [
    ['text', (row) => row.accountId],
    ['text', (row) => row.bucketSize],
    ['bigint', (row) => row.bucketStartMs],
    ['text', (row) => row.keyId],
    ['text', (row) => row.operation],
    ['text', (row) => row.statusClass],
    ['bigint', (row) => row.requests],
  ] satisfies Columns<UsageBatch['counts'][number]>,
  latencies: [
    ['text', (row) => row.accountId],
    ['text', (row) => row.bucketSize],
    ['bigint', (row) => row.bucketStartMs],
    ['text', (row) => row.operation],
    ['integer', (row) => row.ms],
    ['bigint', (row) => row.requests],
  ] satisfies Columns<UsageBatch['latencies'][number]>,
  errors: [
    ['text', (row) => row.accountId],
    ['text', (row) => row.bucketSize],
    ['bigint', (row) => row.bucketStartMs],
    ['text', (row) => row.keyId],
    ['text', (row) => row.operation],
    ['text', (row) => row.error],
    ['bigint', (row) => row.requests],
  ] satisfies Columns<UsageBatch['errors'][number]>,
  months: [
    ['text', (row) => row.accountId],
    ['bigint', (row) => row.monthStartMs],
    ['text', (row) => row.operation],
    ['bigint', (row) => row.requests],
    ['bigint', (row) => row.errors],
    ['bigint', (row) => row.units],
  ] satisfies Columns<UsageBatch['months'][number]>,
  lastUsed: [
    ['text', ([id]) => id],
    ['bigint', ([, atMs]) => atMs],
  ] satisfies Columns<[id: string, atMs: number]>,
  requests: REQUEST_COLUMNS.map(
    (column) => [REQUEST_TYPES[column], (row: UsageRequestRow) => row[column]] as const,
  ) satisfies Columns<UsageRequestRow>,
};
type ListName = keyof typeof LISTS;

/** The parameters before the lists: the id of the batch, its time, and the ids to delete. */
const FIRST_PARAMETERS = 3;

/** Returns the rows of a list in SQL: its columns are parameters, in the order of LISTS. */
function unnest(list: ListName): string {
  let parameter = FIRST_PARAMETERS;
  for (const [name, columns] of Object.entries(LISTS)) {
    if (name === list)
      return `unnest(${columns.map(([type], at) => `$${parameter + at + 1}::${type}[]`).join(', ')})`;
    parameter += columns.length;
  }
  throw new Error(`there is no list ${list}`);
}

/**
 * One statement stores a batch, as a whole or not at all, in one round trip. `batch` is empty if the batch is
 * stored already. Each part inserts or locks its rows in the order of their keys, and all parts run in the
 * same order in each process, so that processes wait for each other and do not deadlock.
 */
const STORE_BATCH = `
with batch as (
  insert into usage_batches (id, at) values ($1, $2) on conflict (id) do nothing returning id
), forgotten as (
  delete from usage_batches where id = any($3::text[]) and exists (select from batch)
), counted as (
  insert into usage_counts
    (account_id, bucket_size, bucket_start, key_id, operation, status_class, requests)
  select * from ${unnest('counts')}
    where exists (select from batch) order by 1, 2, 3, 4, 5, 6
  on conflict (account_id, bucket_size, bucket_start, key_id, operation, status_class)
    do update set requests = usage_counts.requests + excluded.requests
), timed as (
  insert into usage_latencies (account_id, bucket_start, operation, ms, requests)
  select account_id, start, operation, ms, requests
    from ${unnest('latencies')}
    as latency (account_id, size, start, operation, ms, requests)
    where size = 'hour' and exists (select from batch) order by 1, 2, 3, 4
  on conflict (account_id, bucket_start, operation, ms)
    do update set requests = usage_latencies.requests + excluded.requests
), timed_days as (
  insert into usage_day_latencies (account_id, bucket_start, operation, ms, requests)
  select account_id, start, operation, ms, requests
    from ${unnest('latencies')}
    as latency (account_id, size, start, operation, ms, requests)
    where size = 'day' and exists (select from batch) order by 1, 2, 3, 4
  on conflict (account_id, bucket_start, operation, ms)
    do update set requests = usage_day_latencies.requests + excluded.requests
), failed as (
  insert into usage_errors (account_id, bucket_size, bucket_start, key_id, operation, error, requests)
  select * from ${unnest('errors')}
    where exists (select from batch) order by 1, 2, 3, 4, 5, 6
  on conflict (account_id, bucket_size, bucket_start, key_id, operation, error)
    do update set requests = usage_errors.requests + excluded.requests
), totaled as (
  insert into usage_months (account_id, month_start, operation, requests, errors, units)
  select * from ${unnest('months')}
    where exists (select from batch) order by 1, 2, 3
  on conflict (account_id, month_start, operation)
    do update set requests = usage_months.requests + excluded.requests,
      errors = usage_months.errors + excluded.errors, units = usage_months.units + excluded.units
), logged as (
  insert into usage_requests (${REQUEST_COLUMNS.join(', ')})
  select * from ${unnest('requests')}
    where exists (select from batch)
), used as (
  select api_keys.id, use.at from ${unnest('lastUsed')} as use (id, at)
    join api_keys on api_keys.id = use.id
    where exists (select from batch) and (last_used_at is null or last_used_at < use.at)
    order by api_keys.id for no key update of api_keys
)
update api_keys set last_used_at = used.at from used where api_keys.id = used.id`;

/** Batches whose ids the next statement deletes. */
const MAX_FORGOTTEN = 1_000;

/**
 * Creates the function that stores a batch of usage. If it fails, the commit may have happened: the same
 * object can be added again, and is counted once.
 */
export function createUsageStatement(
  db: Kysely<Schema>,
  now: () => number,
): (batch: UsageBatch) => Promise<void> {
  const ids = new WeakMap<UsageBatch, string>();
  /** Ids of batches that are known to be stored: they are not added again. */
  let settled: string[] = [];

  return async (batch) => {
    const nowMs = now();
    const id = ids.get(batch) ?? createSortedId(nowMs);
    ids.set(batch, id);
    const forgotten = settled.slice(0, MAX_FORGOTTEN);
    await db.executeQuery(CompiledQuery.raw(STORE_BATCH, [id, nowMs, forgotten, ...toColumns(batch)]));
    const done = new Set(forgotten);
    settled = [...settled.filter((one) => !done.has(one)), id];
  };
}

/** Returns the values of the parameters of all lists, in their order. */
function toColumns(batch: UsageBatch): unknown[][] {
  const lists = { ...batch, requests: batch.requests.map(toRequestRow), lastUsed: [...batch.lastUsed] };
  return Object.entries(LISTS).flatMap(([name, columns]) => {
    const rows: readonly unknown[] = lists[name as ListName];
    return columns.map(([, get]) => rows.map((row) => (get as (row: unknown) => unknown)(row)));
  });
}
