import type { Kysely } from 'kysely';

/** Creates the ids of batches of usage: a batch that is written again is counted once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_batches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
}
