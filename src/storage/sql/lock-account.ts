import { PostgresAdapter, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Locks the account's row against the creation of sessions until the transaction ends: waits for one that is
 * not committed yet, so that later statements see it. On SQLite, transactions run one by one anyway. An
 * update of the row does not suffice: a reference to a row in PostgreSQL does not wait for it.
 */
export async function lockAccount(trx: Transaction<Schema>, accountId: string): Promise<void> {
  if (!(trx.getExecutor().adapter instanceof PostgresAdapter)) return;
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}
