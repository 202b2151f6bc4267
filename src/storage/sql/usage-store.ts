import { setImmediate } from 'node:timers/promises';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { BucketSize, ErrorQuery, LatencyQuery, UsageQuery, UsageStore } from '#usage';
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
  const counts = { table: 'usage_counts', hasSizes: true } as const;
  const errors = { table: 'usage_errors', hasSizes: true } as const;
  return {
    addUsage: write,
    listUsage: (query) => loadInSteps(db, counts, query, listUsage),
    sumUsage: (query) => loadInSteps(db, counts, query, sumUsage),
    sumByKey: (query) => loadInSteps(db, counts, query, sumByKey),
    listLatencies: (query) => loadInSteps(db, LATENCIES[query.bucketSize], query, listLatencies),
    sumErrors: (query) => loadInSteps(db, errors, query, sumErrors),
    listMonths: (accountId, fromMs, toMs) => listMonths(db, accountId, fromMs, toMs),
    sumAccounts: (bucketSize, bucketStartMs) => sumAccounts(db, bucketSize, bucketStartMs),
    listRequests: (query) => listRequests(db, query),
    findRequest: (requestId, accountId) => findRequest(db, requestId, accountId),
    countRequests: (query) => countRequests(db, query),
    pruneUsage: (limits) => pruneUsage(db, limits, onChange),
  };
}

/** The 12 buckets that one statement reads. SQLite blocks the event loop, and one may have 1,000 rows. */
const STEP_MS = {
  minute: 12 * 60_000,
  hour: 12 * 3_600_000,
  day: 12 * 86_400_000,
} as const satisfies Record<BucketSize, number>;

const LATENCIES = {
  hour: { table: 'usage_latencies', hasSizes: false },
  day: { table: 'usage_day_latencies', hasSizes: false },
} as const;

/** Loads the rows of a range in parts of some buckets, oldest first. Skips the time without rows. */
async function loadInSteps<Query extends Omit<UsageQuery, 'keyIds'>, Row>(
  db: Kysely<Schema>,
  { table, hasSizes }: { table: keyof Schema; hasSizes: boolean },
  query: Query,
  load: (db: Kysely<Schema>, part: Query) => Promise<Row[]>,
): Promise<Row[]> {
  const { accountId, bucketSize, toMs } = query;
  const ofSize = hasSizes ? sql`and bucket_size = ${bucketSize}` : sql``;
  const rows: Row[] = [];
  for (let { fromMs } = query; fromMs < toMs; await setImmediate()) {
    const first = sql<{ start: number | null }>`select min(bucket_start) as start from ${sql.table(table)}
      where account_id = ${accountId} ${ofSize} and bucket_start >= ${fromMs} and bucket_start < ${toMs}`;
    const next = await first.execute(db);
    const start = next.rows[0]?.start ?? null;
    if (start === null) break;
    fromMs = start + STEP_MS[bucketSize];
    const part = await load(db, { ...query, fromMs: start, toMs: Math.min(fromMs, toMs) });
    // SQLite's rows have no prototype.
    for (const row of part) rows.push({ ...row });
  }
  return rows;
}

const SUM = ({ fn }: ExpressionBuilder<Schema, 'usage_counts'>) => fn.sum<number>('requests').as('requests');

function listUsage(db: Kysely<Schema>, query: UsageQuery): ReturnType<UsageStore['listUsage']> {
  return db
    .selectFrom('usage_counts')
    .select(['account_id as accountId', 'key_id as keyId', 'operation', 'status_class as statusClass'])
    .select(['bucket_size as bucketSize', 'bucket_start as bucketStartMs', 'requests'])
    .where((eb) => eb.and(selectCounts(eb, query)))
    .orderBy('bucket_start')
    .execute();
}

function sumUsage(db: Kysely<Schema>, query: UsageQuery): ReturnType<UsageStore['sumUsage']> {
  return db
    .selectFrom('usage_counts')
    .select(['operation', 'status_class as statusClass', 'bucket_start as bucketStartMs', SUM])
    .where((eb) => eb.and(selectCounts(eb, query)))
    .groupBy(['bucket_start', 'operation', 'status_class'])
    .orderBy('bucket_start')
    .execute();
}

function sumByKey(db: Kysely<Schema>, query: UsageQuery): ReturnType<UsageStore['sumByKey']> {
  return db
    .selectFrom('usage_counts')
    .select(['key_id as keyId', 'bucket_start as bucketStartMs', SUM])
    .where((eb) => eb.and(selectCounts(eb, query)))
    .groupBy(['bucket_start', 'key_id'])
    .orderBy('bucket_start')
    .execute();
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
    .selectFrom(LATENCIES[bucketSize].table)
    .select(['account_id as accountId', 'operation', 'bucket_start as bucketStartMs', 'ms', 'requests'])
    .where('account_id', '=', accountId)
    .where('bucket_start', '>=', fromMs)
    .where('bucket_start', '<', toMs)
    .orderBy('bucket_start')
    .execute();
  return rows.map((row) => ({ ...row, bucketSize }));
}

function sumErrors(db: Kysely<Schema>, query: ErrorQuery): ReturnType<UsageStore['sumErrors']> {
  const { errors } = query;
  return db
    .selectFrom('usage_errors')
    .select(({ fn }) => [
      'operation',
      'error',
      'bucket_start as bucketStartMs',
      fn.sum<number>('requests').as('requests'),
    ])
    .where((eb) => eb.and(selectCounts(eb as unknown as ExpressionBuilder<Schema, 'usage_counts'>, query)))
    .$if(errors !== undefined, (counts) => counts.where('error', 'in', errors ?? []))
    .groupBy(['bucket_start', 'operation', 'error'])
    .orderBy('bucket_start')
    .execute();
}

async function listMonths(
  db: Kysely<Schema>,
  accountId: string,
  fromMs: number,
  toMs: number,
): ReturnType<UsageStore['listMonths']> {
  const rows = await db
    .selectFrom('usage_months')
    .select(['account_id as accountId', 'month_start as monthStartMs', 'operation', 'requests', 'errors'])
    .select('units')
    .where('account_id', '=', accountId)
    .where('month_start', '>=', fromMs)
    .where('month_start', '<', toMs)
    .orderBy('month_start')
    .orderBy('operation')
    .execute();
  return rows.map((row) => ({ ...row }));
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
