import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { ErrorQuery, LatencyQuery, UsageQuery, UsageStore } from '#usage';
import type { QuotaStore } from '#limits';
import { sumAccounts } from './account-store.ts';
import { countRequests, findRequest, listRequests } from './request-log.ts';
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
    sumByKey: (query) => sumByKey(db, query),
    listLatencies: (query) => listLatencies(db, query),
    sumErrors: (query) => sumErrors(db, query),
    listMonths: (accountId, fromMs, toMs) => listMonths(db, accountId, fromMs, toMs),
    sumAccounts: (bucketSize, bucketStartMs) => sumAccounts(db, bucketSize, bucketStartMs),
    listRequests: (query) => listRequests(db, query),
    findRequest: (requestId, accountId) => findRequest(db, requestId, accountId),
    countRequests: (query) => countRequests(db, query),
    pruneUsage: (limits) => pruneUsage(db, limits, onChange),
  };
}

async function listUsage(db: Kysely<Schema>, query: UsageQuery): ReturnType<UsageStore['listUsage']> {
  const { accountId, bucketSize } = query;
  const rows = await db
    .selectFrom('usage_counts')
    .selectAll()
    .where((eb) => eb.and(selectCounts(eb, query)))
    .orderBy('bucket_start')
    .execute();
  return rows.map((row) => ({
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
  const rows = await db
    .selectFrom('usage_counts')
    .select([
      'bucket_start',
      'operation',
      'status_class',
      ({ fn }) => fn.sum<number>('requests').as('requests'),
    ])
    .where((eb) => eb.and(selectCounts(eb, query)))
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

async function sumByKey(db: Kysely<Schema>, query: UsageQuery): ReturnType<UsageStore['sumByKey']> {
  const rows = await db
    .selectFrom('usage_counts')
    .select(['bucket_start', 'key_id', ({ fn }) => fn.sum<number>('requests').as('requests')])
    .where((eb) => eb.and(selectCounts(eb, query)))
    .groupBy(['bucket_start', 'key_id'])
    .orderBy('bucket_start')
    .execute();
  return rows.map((row) => ({ keyId: row.key_id, bucketStartMs: row.bucket_start, requests: row.requests }));
}

/** Returns the conditions of a query; an index serves the first three. */
function selectCounts(
  eb: ExpressionBuilder<Schema, 'usage_counts'>,
  { accountId, bucketSize, fromMs, toMs, keyIds, operations }: UsageQuery,
): Expression<SqlBool>[] {
  return [
    eb('account_id', '=', accountId),
    eb('bucket_size', '=', bucketSize),
    eb('bucket_start', '>=', fromMs),
    eb('bucket_start', '<', toMs),
    ...(keyIds ? [eb('key_id', 'in', keyIds)] : []),
    ...(operations ? [eb('operation', 'in', operations)] : []),
  ];
}

async function listLatencies(
  db: Kysely<Schema>,
  { accountId, bucketSize, fromMs, toMs }: LatencyQuery,
): ReturnType<UsageStore['listLatencies']> {
  const rows = await db
    .selectFrom(bucketSize === 'hour' ? 'usage_latencies' : 'usage_day_latencies')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('bucket_start', '>=', fromMs)
    .where('bucket_start', '<', toMs)
    .orderBy('bucket_start')
    .execute();
  return rows.map((row) => ({
    accountId,
    operation: row.operation,
    bucketSize,
    bucketStartMs: row.bucket_start,
    ms: row.ms,
    requests: row.requests,
  }));
}

async function sumErrors(db: Kysely<Schema>, query: ErrorQuery): ReturnType<UsageStore['sumErrors']> {
  const { accountId, bucketSize, fromMs, toMs, keyIds, operations, errors } = query;
  const rows = await db
    .selectFrom('usage_errors')
    .select(['bucket_start', 'operation', 'error', ({ fn }) => fn.sum<number>('requests').as('requests')])
    .where('account_id', '=', accountId)
    .where('bucket_size', '=', bucketSize)
    .where('bucket_start', '>=', fromMs)
    .where('bucket_start', '<', toMs)
    .$if(keyIds !== undefined, (counts) => counts.where('key_id', 'in', keyIds ?? []))
    .$if(operations !== undefined, (counts) => counts.where('operation', 'in', operations ?? []))
    .$if(errors !== undefined, (counts) => counts.where('error', 'in', errors ?? []))
    .groupBy(['bucket_start', 'operation', 'error'])
    .orderBy('bucket_start')
    .execute();
  return rows.map((row) => ({
    operation: row.operation,
    error: row.error,
    bucketStartMs: row.bucket_start,
    requests: row.requests,
  }));
}

async function listMonths(
  db: Kysely<Schema>,
  accountId: string,
  fromMs: number,
  toMs: number,
): ReturnType<UsageStore['listMonths']> {
  const rows = await db
    .selectFrom('usage_months')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('month_start', '>=', fromMs)
    .where('month_start', '<', toMs)
    .orderBy('month_start')
    .orderBy('operation')
    .execute();
  return rows.map((row) => ({
    accountId,
    monthStartMs: row.month_start,
    operation: row.operation,
    requests: row.requests,
    errors: row.errors,
    units: row.units,
  }));
}

/** Creates the store of quotas. `reader` reads over connections that slow queries do not occupy. */
export function createQuotaStore(db: Kysely<Schema>, reader: Kysely<Schema>): QuotaStore {
  return {
    async sumUnits(accountIds, monthStartMs) {
      const rows = await reader
        .selectFrom('usage_months')
        .select(['account_id', ({ fn }) => fn.sum<number>('units').as('units')])
        .where('account_id', 'in', accountIds)
        .where('month_start', '=', monthStartMs)
        .groupBy('account_id')
        .execute();
      return new Map(rows.map((row) => [row.account_id, row.units]));
    },
    async claimNotice({ accountId, monthStartMs, percent, nowMs }) {
      const { numAffectedRows } = await sql`insert into quota_notices (account_id, month_start, percent, at)
        select id, ${sql.lit(monthStartMs)}, ${sql.lit(percent)}, ${sql.lit(nowMs)}
        from accounts where id = ${accountId}
        on conflict (account_id, month_start, percent) do nothing`.execute(db);
      return numAffectedRows === 1n;
    },
  };
}
