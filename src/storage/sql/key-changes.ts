import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** The channel on which PostgreSQL delivers the ids of accounts whose keys have changed. */
export const KEY_CHANNEL = 'utility_api_keys';

/**
 * Increments the revision of keys and accounts, in the transaction of the change. Other processes watch it.
 * PostgreSQL also notifies them when the transaction commits.
 */
export async function recordKeyChange(db: Kysely<Schema>, accountId: string): Promise<void> {
  await db
    .updateTable('key_changes')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', 1)
    .execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    await sql`select pg_notify(${KEY_CHANNEL}, ${accountId})`.execute(db);
}

/** Returns the revision of keys and accounts. */
export async function loadKeyRevision(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('key_changes')
    .select('revision')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  return row.revision;
}
