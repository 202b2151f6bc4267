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
  select * from unnest($4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::bigint[])
    where exists (select from batch) order by 1, 2, 3, 4, 5, 6
  on conflict (account_id, bucket_size, bucket_start, key_id, operation, status_class)
    do update set requests = usage_counts.requests + excluded.requests
), timed as (
  insert into usage_latencies (account_id, bucket_start, operation, ms, requests)
  select account_id, start, operation, ms, requests
    from unnest($11::text[], $12::text[], $13::bigint[], $14::text[], $15::integer[], $16::bigint[])
    as latency (account_id, size, start, operation, ms, requests)
    where size = 'hour' and exists (select from batch) order by 1, 2, 3, 4
  on conflict (account_id, bucket_start, operation, ms)
    do update set requests = usage_latencies.requests + excluded.requests
), timed_days as (
  insert into usage_day_latencies (account_id, bucket_start, operation, ms, requests)
  select account_id, start, operation, ms, requests
    from unnest($11::text[], $12::text[], $13::bigint[], $14::text[], $15::integer[], $16::bigint[])
    as latency (account_id, size, start, operation, ms, requests)
    where size = 'day' and exists (select from batch) order by 1, 2, 3, 4
  on conflict (account_id, bucket_start, operation, ms)
    do update set requests = usage_day_latencies.requests + excluded.requests
), failed as (
  insert into usage_errors (account_id, bucket_size, bucket_start, key_id, operation, error, requests)
  select * from unnest($17::text[], $18::text[], $19::bigint[], $20::text[], $21::text[], $22::text[],
    $23::bigint[])
    where exists (select from batch) order by 1, 2, 3, 4, 5, 6
  on conflict (account_id, bucket_size, bucket_start, key_id, operation, error)
    do update set requests = usage_errors.requests + excluded.requests
), totaled as (
  insert into usage_months (account_id, month_start, operation, requests, errors, units)
  select * from unnest($24::text[], $25::bigint[], $26::text[], $27::bigint[], $28::bigint[], $29::bigint[])
    where exists (select from batch) order by 1, 2, 3
  on conflict (account_id, month_start, operation)
    do update set requests = usage_months.requests + excluded.requests,
      errors = usage_months.errors + excluded.errors, units = usage_months.units + excluded.units
), logged as (
  insert into usage_requests (${REQUEST_COLUMNS.join(', ')})
  select * from unnest(${REQUEST_COLUMNS.map((column, n) => `$${n + 32}::${REQUEST_TYPES[column]}[]`).join(', ')})
    where exists (select from batch)
), used as (
  select api_keys.id, use.at from unnest($30::text[], $31::bigint[]) as use (id, at)
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

/** Returns the rows as arrays of columns, in the order of the statement. */
function toColumns({ counts, latencies, errors, months, requests, lastUsed }: UsageBatch): unknown[][] {
  const lines = requests.map(toRequestRow);
  return [
    counts.map((row) => row.accountId),
    counts.map((row) => row.bucketSize),
    counts.map((row) => row.bucketStartMs),
    counts.map((row) => row.keyId),
    counts.map((row) => row.operation),
    counts.map((row) => row.statusClass),
    counts.map((row) => row.requests),
    latencies.map((row) => row.accountId),
    latencies.map((row) => row.bucketSize),
    latencies.map((row) => row.bucketStartMs),
    latencies.map((row) => row.operation),
    latencies.map((row) => row.ms),
    latencies.map((row) => row.requests),
    errors.map((row) => row.accountId),
    errors.map((row) => row.bucketSize),
    errors.map((row) => row.bucketStartMs),
    errors.map((row) => row.keyId),
    errors.map((row) => row.operation),
    errors.map((row) => row.error),
    errors.map((row) => row.requests),
    months.map((row) => row.accountId),
    months.map((row) => row.monthStartMs),
    months.map((row) => row.operation),
    months.map((row) => row.requests),
    months.map((row) => row.errors),
    months.map((row) => row.units),
    [...lastUsed.keys()],
    [...lastUsed.values()],
    ...REQUEST_COLUMNS.map((column) => lines.map((line) => line[column])),
  ];
}
