import type { Kysely } from 'kysely';

/** Creates second factors and the codes that were used, and an index of the subjects of providers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('accounts')
    .addColumn('second_factor', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('second_factors')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().unique().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('recovery_codes', 'text', (column) => column.notNull())
    .addColumn('confirmed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('locked_until', 'bigint')
    .execute();
  await createUsedCodes(db);
  await db.schema
    .createIndex('credentials_by_subject')
    .on('credentials')
    .columns(['provider_id', 'provider_account_id'])
    .execute();
}

async function createUsedCodes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('used_codes')
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('used_codes_key', ['account_id', 'code_hash'])
    .execute();
}
