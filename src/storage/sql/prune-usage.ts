import { setImmediate } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { UsageRetention } from '#usage';
import type { Schema } from './schema.ts';

/** Rows of one deletion, which holds the write lock, and with SQLite the event loop, for some milliseconds. */
const ROWS_PER_DELETE = 200;
/** Lines of the log that one look passes over when the log is measured. */
const LINES_PER_LOOK = 20_000;

const KEYS = {
  usage_counts: sql`account_id, bucket_size, bucket_start, key_id, operation, status_class`,
  usage_latencies: sql`account_id, bucket_start, operation, ms`,
  usage_requests: sql`id`,
};

/** Deletes what is older than its time, and the oldest lines of the log past its bound. */
export async function pruneUsage(db: Kysely<Schema>, limits: UsageRetention): Promise<void> {
  const { minutesBeforeMs, countsBeforeMs, requestsBeforeMs, maxRequests } = limits;
  for (const [bucketSize, beforeMs] of [
    ['minute', minutesBeforeMs],
    ['hour', countsBeforeMs],
    ['day', countsBeforeMs],
  ] as const)
    await deleteInSteps(
      db,
      'usage_counts',
      sql`from usage_counts where bucket_size = ${bucketSize} and bucket_start < ${beforeMs}`,
    );
  await deleteInSteps(
    db,
    'usage_latencies',
    sql`from usage_latencies where bucket_start < ${countsBeforeMs}`,
  );
  const excessId = await findExcessLine(db, maxRequests);
  if (excessId !== null)
    await deleteInSteps(db, 'usage_requests', sql`from usage_requests where id <= ${excessId} order by id`);
  // The time of a line has no index, but the lines are stored in its order.
  const oldest = sql`select id, at from usage_requests order by id limit ${ROWS_PER_DELETE}`;
  await deleteInSteps(db, 'usage_requests', sql`from (${oldest}) as oldest where at < ${requestsBeforeMs}`);
}

/** Deletes an account's usage. */
export async function deleteUsage(db: Kysely<Schema>, accountId: string): Promise<void> {
  for (const table of ['usage_counts', 'usage_latencies', 'usage_requests'] as const)
    await deleteInSteps(db, table, sql`from ${sql.table(table)} where account_id = ${accountId}`);
}

/** Deletes the rows that `source` selects, a bounded number at a time; requests are answered in between. */
async function deleteInSteps(
  db: Kysely<Schema>,
  table: keyof typeof KEYS,
  source: RawBuilder<unknown>,
): Promise<void> {
  const rows = sql`select ${KEYS[table]} ${source} limit ${ROWS_PER_DELETE}`;
  for (let deleted = 1n; deleted > 0n; await setImmediate()) {
    const result = await sql`delete from ${sql.table(table)} where (${KEYS[table]}) in (${rows})`.execute(db);
    deleted = result.numAffectedRows ?? 0n;
  }
}

/** The newest line that is too many, or null. To count a long log at once would stop the event loop. */
async function findExcessLine(db: Kysely<Schema>, maxLines: number): Promise<string | null> {
  let lines = db.selectFrom('usage_requests').select('id').orderBy('id', 'desc').limit(1);
  for (let left = maxLines; ; await setImmediate()) {
    const step = Math.min(left, LINES_PER_LOOK);
    const line = await lines.offset(step).executeTakeFirst();
    if (line === undefined) return null;
    left -= step;
    if (left === 0) return line.id;
    lines = lines.clearWhere().where('id', '<=', line.id);
  }
}
