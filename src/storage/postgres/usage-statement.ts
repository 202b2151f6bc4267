import { CompiledQuery, type Kysely } from 'kysely';
import type { UsageBatch } from '#usage';
import { toRequestRow } from '../sql/request-log.ts';
import type { Schema } from '../sql/schema.ts';
import { createSortedId } from '../sql/sorted-id.ts';

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
  select * from unnest($11::text[], $12::bigint[], $13::text[], $14::integer[], $15::bigint[])
    where exists (select from batch) order by 1, 2, 3, 4
  on conflict (account_id, bucket_start, operation, ms)
    do update set requests = usage_latencies.requests + excluded.requests
), logged as (
  insert into usage_requests (id, account_id, key_id, operation, status, ms, request_id, at)
  select * from unnest($16::text[], $17::text[], $18::text[], $19::text[], $20::integer[], $21::integer[],
    $22::text[], $23::bigint[])
    where exists (select from batch)
), used as (
  select api_keys.id, use.at from unnest($24::text[], $25::bigint[]) as use (id, at)
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
function toColumns({ counts, latencies, requests, lastUsed }: UsageBatch): unknown[][] {
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
    latencies.map((row) => row.bucketStartMs),
    latencies.map((row) => row.operation),
    latencies.map((row) => row.ms),
    latencies.map((row) => row.requests),
    lines.map((row) => row.id),
    lines.map((row) => row.account_id),
    lines.map((row) => row.key_id),
    lines.map((row) => row.operation),
    lines.map((row) => row.status),
    lines.map((row) => row.ms),
    lines.map((row) => row.request_id),
    lines.map((row) => row.at),
    [...lastUsed.keys()],
    [...lastUsed.values()],
  ];
}
