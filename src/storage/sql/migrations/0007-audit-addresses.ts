import type { Kysely } from 'kysely';

/**
 * Adds the address of an audit event's actor, who created an invitation or a link, and whether an invitation
 * was used. An index finds the last sign-in of an account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit_events').addColumn('ip', 'text').execute();
  await db.schema.alterTable('links').addColumn('created_at', 'bigint').execute();
  await db.schema.alterTable('links').addColumn('created_by', 'text').execute();
  await db.schema.alterTable('links').addColumn('used_at', 'bigint').execute();
  await db.schema
    .createIndex('audit_events_by_name')
    .on('audit_events')
    .columns(['account_id', 'event', 'at'])
    .execute();
}
