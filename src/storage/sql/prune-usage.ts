import type { Kysely } from 'kysely';
import type { BucketSize, UsageRetention } from '#usage';
import type { Schema } from './schema.ts';

/** Rows of one deletion, which holds the write lock, and with SQLite the event loop, for some milliseconds. */
const ROWS_PER_DELETE = 1_000;
const HOUR_MS = 3_600_000;

/** Forgets what is older than its time, and the oldest lines of the log past its bound. */
export async function pruneUsage(db: Kysely<Schema>, limits: UsageRetention): Promise<void> {
  await pruneCounts(db, 'minute', limits.minutesBeforeMs);
  await pruneCounts(db, 'hour', limits.countsBeforeMs);
  await pruneCounts(db, 'day', limits.countsBeforeMs);
  await pruneLatencies(db, limits.countsBeforeMs);
  await pruneLog(db, limits);
}

/** Removes an account's usage. */
export async function deleteUsage(db: Kysely<Schema>, accountId: string): Promise<void> {
  for (const bucketSize of ['minute', 'hour', 'day'] as const)
    for (;;) {
      const { oldest } = await db
        .selectFrom('usage_counts')
        .select(({ fn }) => fn.min<number | null>('bucket_start').as('oldest'))
        .where('account_id', '=', accountId)
        .where('bucket_size', '=', bucketSize)
        .executeTakeFirstOrThrow();
      if (oldest === null) break;
      await db
        .deleteFrom('usage_counts')
        .where('account_id', '=', accountId)
        .where('bucket_size', '=', bucketSize)
        .where('bucket_start', '<', oldest + HOUR_MS)
        .execute();
    }
  await db.deleteFrom('usage_latencies').where('account_id', '=', accountId).execute();
  for (let deleted = 1n; deleted > 0n;) {
    const { numDeletedRows } = await db
      .deleteFrom('usage_requests')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('usage_requests')
          .select('id')
          .where('account_id', '=', accountId)
          .orderBy('id')
          .limit(ROWS_PER_DELETE),
      )
      .executeTakeFirstOrThrow();
    deleted = numDeletedRows;
  }
}

/** One bucket of time after the other. */
async function pruneCounts(db: Kysely<Schema>, bucketSize: BucketSize, beforeMs: number): Promise<void> {
  for (;;) {
    const { oldest } = await db
      .selectFrom('usage_counts')
      .select(({ fn }) => fn.min<number | null>('bucket_start').as('oldest'))
      .where('bucket_size', '=', bucketSize)
      .executeTakeFirstOrThrow();
    if (oldest === null || oldest >= beforeMs) return;
    await db
      .deleteFrom('usage_counts')
      .where('bucket_size', '=', bucketSize)
      .where('bucket_start', '=', oldest)
      .execute();
  }
}

async function pruneLatencies(db: Kysely<Schema>, beforeMs: number): Promise<void> {
  for (;;) {
    const { oldest } = await db
      .selectFrom('usage_latencies')
      .select(({ fn }) => fn.min<number | null>('bucket_start').as('oldest'))
      .executeTakeFirstOrThrow();
    if (oldest === null || oldest >= beforeMs) return;
    await db.deleteFrom('usage_latencies').where('bucket_start', '=', oldest).execute();
  }
}

/** The oldest lines: first as many as are too many, then those that are too old. */
async function pruneLog(
  db: Kysely<Schema>,
  { requestsBeforeMs, maxRequests }: UsageRetention,
): Promise<void> {
  const { lines } = await db
    .selectFrom('usage_requests')
    .select(({ fn }) => fn.countAll<number>().as('lines'))
    .executeTakeFirstOrThrow();
  for (let excess = lines - maxRequests; excess > 0; excess -= ROWS_PER_DELETE)
    await deleteOldestLines(db, Math.min(excess, ROWS_PER_DELETE), Infinity);
  while ((await deleteOldestLines(db, ROWS_PER_DELETE, requestsBeforeMs)) > 0n);
}

async function deleteOldestLines(db: Kysely<Schema>, limit: number, beforeMs: number): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('usage_requests')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom((oldest) =>
          oldest.selectFrom('usage_requests').select(['id', 'at']).orderBy('id').limit(limit).as('oldest'),
        )
        .select('oldest.id')
        .$if(beforeMs < Infinity, (old) => old.where('oldest.at', '<', beforeMs)),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows;
}
