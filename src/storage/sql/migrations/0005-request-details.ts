import { type Kysely, sql } from 'kysely';

const DAY_MS = 86_400_000;

/**
 * Adds the details of logged requests, and creates counts of errors, latencies by day and totals by month.
 * The latter two are filled from the counts that exist.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addRequestDetails(db);
  await createErrors(db);
  await createDayLatencies(db);
  await createMonths(db);
}

async function addRequestDetails(db: Kysely<unknown>): Promise<void> {
  const columns = [
    ['error', 'text'],
    ['param', 'text'],
    ['route', 'text'],
    ['timeout_ms', 'integer'],
    ['units', 'integer'],
    ['limit_per_minute', 'integer'],
    ['limit_remaining', 'integer'],
    ['failed_items', 'integer'],
    ['phases', 'text'],
  ] as const;
  // SQLite adds one column per statement.
  for (const [name, type] of columns)
    await db.schema.alterTable('usage_requests').addColumn(name, type).execute();
  await db.schema
    .createIndex('usage_requests_by_request_id')
    .on('usage_requests')
    .column('request_id')
    .execute();
  await sql`create index usage_requests_failed on usage_requests (account_id, id) where status >= 400`.execute(
    db,
  );
}

async function createErrors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_errors')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('bucket_size', 'text', (column) => column.notNull())
    .addColumn('bucket_start', 'bigint', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('error', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_errors_key', [
      'account_id',
      'bucket_size',
      'bucket_start',
      'key_id',
      'operation',
      'error',
    ])
    .execute();
  await db.schema
    .createIndex('usage_errors_by_age')
    .on('usage_errors')
    .columns(['bucket_size', 'bucket_start'])
    .execute();
}

async function createDayLatencies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_day_latencies')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('bucket_start', 'bigint', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('ms', 'integer', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_day_latencies_key', ['account_id', 'bucket_start', 'operation', 'ms'])
    .execute();
  await db.schema
    .createIndex('usage_day_latencies_by_age')
    .on('usage_day_latencies')
    .column('bucket_start')
    .execute();
  const day = sql`bucket_start - bucket_start % ${sql.lit(DAY_MS)}`;
  await sql`insert into usage_day_latencies (account_id, bucket_start, operation, ms, requests)
    select account_id, ${day}, operation, ms, sum(requests) from usage_latencies
    group by account_id, ${day}, operation, ms`.execute(db);
}

async function createMonths(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_months')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('month_start', 'bigint', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('errors', 'bigint', (column) => column.notNull())
    .addColumn('units', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_months_key', ['account_id', 'month_start', 'operation'])
    .execute();
  await db.schema.createIndex('usage_months_by_age').on('usage_months').column('month_start').execute();
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(bucket_start) as first, max(bucket_start) as last from usage_counts where bucket_size = 'day'
  `.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  if (first === null || last === null) return;
  const start = new Date(first);
  let fromMs = Date.UTC(start.getUTCFullYear(), start.getUTCMonth());
  while (fromMs <= last) {
    const month = new Date(fromMs);
    const toMs = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
    await sumMonth(db, fromMs, toMs);
    fromMs = toMs;
  }
}

/** Batches count as one unit: how many items they had is not known. Refused requests have no units. */
async function sumMonth(db: Kysely<unknown>, fromMs: number, toMs: number): Promise<void> {
  await sql`insert into usage_months (account_id, month_start, operation, requests, errors, units)
    select account_id, ${sql.lit(fromMs)}, operation, sum(requests),
      sum(case when status_class in ('2xx', '3xx') then 0 else requests end),
      sum(case when status_class = '429' then 0 else requests end)
    from usage_counts
    where bucket_size = 'day' and bucket_start >= ${sql.lit(fromMs)} and bucket_start < ${sql.lit(toMs)}
    group by account_id, operation`.execute(db);
}
