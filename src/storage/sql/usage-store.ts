import type { Kysely } from 'kysely';
import type { UsageQuery, UsageStore } from '#usage';
import { sumAccounts } from './account-usage.ts';
import { findRequest, listRequests } from './request-log.ts';
import { pruneUsage } from './prune-usage.ts';
import type { Schema } from './schema.ts';

/**
 * Creates the store of usage. `write` stores a batch; `onChange` is called with the number of rows that each
 * deletion has deleted.
 */
export function createUsageStore(
  db: Kysely<Schema>,
  write: UsageStore['addUsage'],
  onChange: (rows: number) => Promise<void>,
): UsageStore {
  return {
    addUsage: write,
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
    sumAccounts: (bucketSize, bucketStartMs) => sumAccounts(db, bucketSize, bucketStartMs),
    listRequests: (query) => listRequests(db, query),
    findRequest: (requestId, accountId) => findRequest(db, requestId, accountId),
    pruneUsage: (limits) => pruneUsage(db, limits, onChange),
  };
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
      ({ fn }) => fn.sum<number>('requests').as('requests'),
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
    requests: row.requests,
  }));
}
