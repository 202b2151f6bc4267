import type { Kysely } from 'kysely';
import type { AccountUsage, BucketSize } from '#usage';
import type { Schema } from './schema.ts';

/** Returns the counts of all accounts in one bucket (see `UsageStore.sumAccounts`). */
export async function sumAccounts(
  db: Kysely<Schema>,
  bucketSize: BucketSize,
  bucketStartMs: number,
): Promise<AccountUsage[]> {
  const rows = await db
    .selectFrom('usage_counts')
    .select([
      'account_id',
      'operation',
      'status_class',
      ({ fn }) => fn.sum<number>('requests').as('requests'),
    ])
    .where('bucket_size', '=', bucketSize)
    .where('bucket_start', '=', bucketStartMs)
    .groupBy(['account_id', 'operation', 'status_class'])
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    operation: row.operation,
    statusClass: row.status_class,
    requests: row.requests,
  }));
}
