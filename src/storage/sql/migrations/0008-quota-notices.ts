import type { Kysely } from 'kysely';

/** Creates the notices about quotas that were sent: one per account, month and percentage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('quota_notices')
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('month_start', 'bigint', (column) => column.notNull())
    .addColumn('percent', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('quota_notices_key', ['account_id', 'month_start', 'percent'])
    .execute();
  await db.schema.createIndex('quota_notices_by_age').on('quota_notices').column('month_start').execute();
}
