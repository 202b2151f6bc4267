import { setImmediate } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { UsageRetention } from '#usage';
import type { Schema } from './schema.ts';

/** Rows per deletion, which holds the write lock and the event loop for some milliseconds. */
const ROWS_PER_DELETE = 200;
/** Lines of the log that one query skips when the log is counted. */
const LINES_PER_QUERY = 20_000;

const KEYS = {
  usage_counts: sql`account_id, bucket_size, bucket_start, key_id, operation, status_class`,
  usage_latencies: sql`account_id, bucket_start, operation, ms`,
  usage_day_latencies: sql`account_id, bucket_start, operation, ms`,
  usage_errors: sql`account_id, bucket_size, bucket_start, key_id, operation, error`,
  usage_months: sql`account_id, month_start, operation`,
  quota_notices: sql`account_id, month_start, percent`,
  usage_requests: sql`id`,
};

/** Receives the number of rows that one deletion has deleted. */
type OnDelete = (rows: number) => Promise<void>;

/** Deletes counts and log lines older than their limits, and the oldest log lines past `maxRequests`. */
export async function pruneUsage(
  db: Kysely<Schema>,
  limits: UsageRetention,
  onDelete: OnDelete,
): Promise<void> {
  const { minutesBeforeMs, countsBeforeMs, monthsBeforeMs, requestsBeforeMs, maxRequests } = limits;
  const prune = (table: keyof typeof KEYS, condition: RawBuilder<unknown>): Promise<void> =>
    deleteInSteps(db, table, sql`from ${sql.table(table)} where ${condition}`, onDelete);
  for (const [bucketSize, beforeMs] of [
    ['minute', minutesBeforeMs],
    ['hour', countsBeforeMs],
    ['day', countsBeforeMs],
  ] as const)
    await prune('usage_counts', sql`bucket_size = ${bucketSize} and bucket_start < ${beforeMs}`);
  for (const bucketSize of ['hour', 'day'])
    await prune('usage_errors', sql`bucket_size = ${bucketSize} and bucket_start < ${countsBeforeMs}`);
  for (const table of ['usage_latencies', 'usage_day_latencies'] as const)
    await prune(table, sql`bucket_start < ${countsBeforeMs}`);
  for (const table of ['usage_months', 'quota_notices'] as const)
    await prune(table, sql`month_start < ${monthsBeforeMs}`);
  // Ids of batches of processes that were killed.
  await db.deleteFrom('usage_batches').where('at', '<', countsBeforeMs).execute();
  const excessId = await findExcessLine(db, maxRequests);
  if (excessId !== null) await prune('usage_requests', sql`id <= ${excessId} order by id`);
  // The column `at` has no index, but ids sort by it.
  const oldest = sql`select id, at from usage_requests order by id limit ${ROWS_PER_DELETE}`;
  const expired = sql`from (${oldest}) as oldest where at < ${requestsBeforeMs}`;
  await deleteInSteps(db, 'usage_requests', expired, onDelete);
}

/** Deletes an account's usage. */
export async function deleteUsage(db: Kysely<Schema>, accountId: string): Promise<void> {
  for (const table of Object.keys(KEYS) as (keyof typeof KEYS)[])
    await deleteInSteps(db, table, sql`from ${sql.table(table)} where account_id = ${accountId}`);
}

/** Deletes the rows that `source` selects, a bounded number per turn of the event loop. */
async function deleteInSteps(
  db: Kysely<Schema>,
  table: keyof typeof KEYS,
  source: RawBuilder<unknown>,
  onDelete: OnDelete = async () => {},
): Promise<void> {
  const rows = sql`select ${KEYS[table]} ${source} limit ${ROWS_PER_DELETE}`;
  for (let deleted = 1n; deleted > 0n; await setImmediate()) {
    const result = await sql`delete from ${sql.table(table)} where (${KEYS[table]}) in (${rows})`.execute(db);
    deleted = result.numAffectedRows ?? 0n;
    await onDelete(Number(deleted));
  }
}

/** Returns the newest line past `maxLines`, or null. Counts in steps: one query over a long log blocks. */
async function findExcessLine(db: Kysely<Schema>, maxLines: number): Promise<string | null> {
  let lines = db.selectFrom('usage_requests').select('id').orderBy('id', 'desc').limit(1);
  for (let left = maxLines; ; await setImmediate()) {
    const step = Math.min(left, LINES_PER_QUERY);
    const line = await lines.offset(step).executeTakeFirst();
    if (line === undefined) return null;
    left -= step;
    if (left === 0) return line.id;
    lines = lines.clearWhere().where('id', '<=', line.id);
  }
}
