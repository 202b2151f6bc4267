import { Kysely, sql } from 'kysely';
import { migrate } from '../sql/migrate.ts';
import type { Schema } from '../sql/schema.ts';
import { ConnectionPool, ServerHealth } from './connection-pool.ts';
import { createPostgresDialect } from './postgres-driver.ts';
import { toClientOptions } from './postgres-options.ts';

/** The lock of the schema: an arbitrary number, and the same in every release. */
export const SCHEMA_LOCK = 7_406_381_024;

/** Migrations may rewrite large tables, and the other processes wait for the one that runs them. */
const MIGRATION_TIMEOUT_MS = 600_000;

/**
 * Runs the missing migrations in one transaction under an advisory lock: of processes that start together,
 * one runs them, and the others wait and find them done.
 */
export async function migratePostgres(url: string): Promise<void> {
  const options = toClientOptions(url, MIGRATION_TIMEOUT_MS);
  const health = new ServerHealth(options, () => {});
  const pool = new ConnectionPool(options, 1, health);
  const db = new Kysely<Schema>({ dialect: createPostgresDialect(pool) });
  try {
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(trx);
      await migrate(trx);
    });
  } finally {
    health.close();
    await db.destroy();
  }
}
