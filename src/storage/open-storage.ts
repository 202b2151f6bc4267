import { randomBytes } from 'node:crypto';
import type { PostgresOptions } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import type { OnQuery } from './sql/transaction.ts';
import type { Storage } from './storage.ts';

export interface StorageOptions {
  /** The folder of the embedded database; created with mode 0700 if it does not exist. */
  dataDir: string;
  /** The PostgreSQL server to use in place of the embedded database. */
  postgres?: PostgresOptions | null;
  /**
   * The interval of checks for changes by other processes, in milliseconds: 1,000 by default, 0 for none.
   */
  watchIntervalMs?: number;
  /** Observes the statements. */
  onQuery?: OnQuery | undefined;
}

/**
 * Opens the database and runs its migrations. Several processes can have it open. Rejects with the place of
 * the database and the reason if it cannot be opened.
 */
export async function openStorage({
  dataDir,
  postgres = null,
  watchIntervalMs = 1_000,
  onQuery,
}: StorageOptions): Promise<Storage> {
  if (!postgres) return openSqlite(dataDir, watchIntervalMs, onQuery);
  // Loaded only here: a service with the embedded database starts sooner.
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  return openPostgres({ ...postgres, onQuery: postgres.onQuery ?? onQuery }, watchIntervalMs);
}

/** Returns the secret with which the command line asks the service for what only operators may see. */
export function loadOperatorSecret({ access }: Pick<Storage, 'access'>): Promise<string> {
  return access.findOrCreateSecret('operator', randomBytes(24).toString('base64url'));
}
