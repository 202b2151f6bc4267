import type { Kysely } from 'kysely';

/** Invitations share their table with the links that reset a password or verify an address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('invitations').renameTo('links').execute();
  await db.schema.createIndex('links_by_email').on('links').columns(['email', 'purpose']).execute();
}
