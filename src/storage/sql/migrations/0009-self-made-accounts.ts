import type { Kysely } from 'kysely';

/**
 * Adds which accounts were created by a sign-up without an invitation, and how long such an account has not
 * been used while its address is unverified. Earlier accounts count as created otherwise.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const accounts = db.schema.alterTable('accounts');
  for (const name of ['self_made', 'idle_days'])
    await accounts.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0)).execute();
  for (const name of ['counted_at', 'keys_disabled_at']) await accounts.addColumn(name, 'bigint').execute();
  const index = db.schema.createIndex('accounts_by_proof').on('accounts');
  await index.columns(['self_made', 'email_verified']).execute();
}
