import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import * as accountsKeysUsage from './migrations/0001-accounts-keys-usage.ts';
import * as signIn from './migrations/0002-sign-in.ts';
import * as links from './migrations/0003-links.ts';
import * as usageBatches from './migrations/0004-usage-batches.ts';
import type { Schema } from './schema.ts';

/** In order; a released migration never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-accounts-keys-usage': accountsKeysUsage,
  '0002-sign-in': signIn,
  '0003-links': links,
  '0004-usage-batches': usageBatches,
};

/** Runs the missing migrations. If several processes start at once, one runs them and the others wait. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
