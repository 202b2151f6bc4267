import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Increments the revision of keys and accounts, in the transaction of the change. Other processes watch it.
 */
export async function recordKeyChange(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('key_changes')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', 1)
    .execute();
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
