import { type Kysely, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { StorageStateError } from '../storage.ts';
import * as accountsKeysUsage from './migrations/0001-accounts-keys-usage.ts';
import * as signIn from './migrations/0002-sign-in.ts';
import * as links from './migrations/0003-links.ts';
import * as usageBatches from './migrations/0004-usage-batches.ts';
import * as requestDetails from './migrations/0005-request-details.ts';
import * as secondFactor from './migrations/0006-second-factor.ts';
import * as auditAddresses from './migrations/0007-audit-addresses.ts';
import * as quotaNotices from './migrations/0008-quota-notices.ts';
import * as selfMadeAccounts from './migrations/0009-self-made-accounts.ts';
import type { Schema } from './schema.ts';

/** In order; a released migration never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-accounts-keys-usage': accountsKeysUsage,
  '0002-sign-in': signIn,
  '0003-links': links,
  '0004-usage-batches': usageBatches,
  '0005-request-details': requestDetails,
  '0006-second-factor': secondFactor,
  '0007-audit-addresses': auditAddresses,
  '0008-quota-notices': quotaNotices,
  '0009-self-made-accounts': selfMadeAccounts,
};

/** The names of the migrations of this release, in order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

/**
 * Runs the missing migrations. If several processes start together, one runs them and the others wait. Throws
 * StorageStateError if a newer release has migrated the database.
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const { error } = await createMigrator(db).migrateToLatest();
  if (error === undefined) return;
  // The error of Kysely names the migration, but not the cause.
  const isMismatch = error instanceof Error && error.message.startsWith('corrupted migrations');
  if (isMismatch) assertKnown(await loadMigrationNames(db));
  throw error;
}

/** Runs the migrations up to `name` on an empty database. */
export async function migrateTo(db: Kysely<Schema>, name: string): Promise<void> {
  const { error } = await createMigrator(db).migrateTo(name);
  if (error !== undefined) throw error;
}

function createMigrator(db: Kysely<Schema>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
}

async function loadMigrationNames(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

function assertKnown(names: readonly string[]): void {
  const unknown = findUnknownMigration(names);
  if (unknown === null) return;
  throw new StorageStateError(
    `A newer release has changed the database: this release does not know its migration ${unknown}. Run that release or a newer one, or restore a backup from before the upgrade (docs/operate/recover.md)`,
  );
}

/** Returns the first migration that this release does not have; null if it has all. */
export function findUnknownMigration(names: readonly string[]): string | null {
  return names.find((name) => !MIGRATION_NAMES.includes(name)) ?? null;
}
