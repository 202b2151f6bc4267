import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Counts, within the transaction of the change, that keys or accounts changed: other processes watch this number. */
export async function recordKeyChange(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable('key_changes')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', 1)
    .execute();
}

export async function readKeyRevision(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('key_changes')
    .select('revision')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  return row.revision;
}
