import { setImmediate } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { UsageBatch, UsageQuery, UsageStore } from '#usage';
import { listRequests, toRequestRow } from './request-log.ts';
import { pruneUsage } from './prune-usage.ts';
import type { Schema } from './schema.ts';

/** Rows of one insert; engines bound the number of parameters. */
const ROWS_PER_INSERT = 100;

/** Usage in SQL. */
export function createUsageStore(db: Kysely<Schema>): UsageStore {
  return {
    async addUsage(batch) {
      await db.transaction().execute((trx) => addUsage(trx, batch));
    },
    listUsage: (query) => listUsage(db, query),
    sumUsage: (query) => sumUsage(db, query),
    async listLatencies(accountId, fromMs, toMs) {
      const rows = await db
        .selectFrom('usage_latencies')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('bucket_start', '>=', fromMs)
        .where('bucket_start', '<', toMs)
        .execute();
      return rows.map((row) => ({
        accountId,
        operation: row.operation,
        bucketStartMs: row.bucket_start,
        ms: row.ms,
        requests: row.requests,
      }));
    },
    listRequests: (query) => listRequests(db, query),
    pruneUsage: (limits) => pruneUsage(db, limits),
  };
}

async function addUsage(trx: Transaction<Schema>, batch: UsageBatch): Promise<void> {
  for await (const counts of chunk(batch.counts)) {
    await trx
      .insertInto('usage_counts')
      .values(
        counts.map((count) => ({
          account_id: count.accountId,
          bucket_size: count.bucketSize,
          bucket_start: count.bucketStartMs,
          key_id: count.keyId,
          operation: count.operation,
          status_class: count.statusClass,
          requests: count.requests,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'bucket_size', 'bucket_start', 'key_id', 'operation', 'status_class'])
          .doUpdateSet((excluded) => ({
            requests: excluded.eb('usage_counts.requests', '+', excluded.ref('excluded.requests')),
          })),
      )
      .execute();
  }
  for await (const latencies of chunk(batch.latencies)) {
    await trx
      .insertInto('usage_latencies')
      .values(
        latencies.map((latency) => ({
          account_id: latency.accountId,
          bucket_start: latency.bucketStartMs,
          operation: latency.operation,
          ms: latency.ms,
          requests: latency.requests,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'bucket_start', 'operation', 'ms']).doUpdateSet((excluded) => ({
          requests: excluded.eb('usage_latencies.requests', '+', excluded.ref('excluded.requests')),
        })),
      )
      .execute();
  }
  for await (const requests of chunk(batch.requests))
    await trx.insertInto('usage_requests').values(requests.map(toRequestRow)).execute();
  for (const [keyId, atMs] of batch.lastUsed)
    await trx
      .updateTable('api_keys')
      .set({ last_used_at: atMs })
      .where('id', '=', keyId)
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', atMs)]))
      .execute();
}

async function listUsage(db: Kysely<Schema>, query: UsageQuery): ReturnType<UsageStore['listUsage']> {
  const { accountId, bucketSize, fromMs, toMs, keyId } = query;
  let rows = db
    .selectFrom('usage_counts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('bucket_size', '=', bucketSize)
    .where('bucket_start', '>=', fromMs)
    .where('bucket_start', '<', toMs)
    .orderBy('bucket_start');
  if (keyId !== undefined) rows = rows.where('key_id', '=', keyId);
  return (await rows.execute()).map((row) => ({
    accountId,
    keyId: row.key_id,
    operation: row.operation,
    statusClass: row.status_class,
    bucketSize,
    bucketStartMs: row.bucket_start,
    requests: row.requests,
  }));
}

async function sumUsage(db: Kysely<Schema>, query: UsageQuery): ReturnType<UsageStore['sumUsage']> {
  const { accountId, bucketSize, fromMs, toMs, keyId } = query;
  const rows = await db
    .selectFrom('usage_counts')
    .select([
      'bucket_start',
      'operation',
      'status_class',
      ({ fn }) => fn.sum<number | string>('requests').as('requests'),
    ])
    .where('account_id', '=', accountId)
    .where('bucket_size', '=', bucketSize)
    .where('bucket_start', '>=', fromMs)
    .where('bucket_start', '<', toMs)
    .$if(keyId !== undefined, (counts) => counts.where('key_id', '=', keyId ?? ''))
    .groupBy(['bucket_start', 'operation', 'status_class'])
    .orderBy('bucket_start')
    .execute();
  return rows.map((row) => ({
    operation: row.operation,
    statusClass: row.status_class,
    bucketStartMs: row.bucket_start,
    // A sum of bigints is a numeric, which PostgreSQL's driver gives as text.
    requests: Number(row.requests),
  }));
}

/** The rows in pieces; requests are answered between two of them. */
async function* chunk<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    yield rows.slice(start, start + ROWS_PER_INSERT);
    await setImmediate();
  }
}
