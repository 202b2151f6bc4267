import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { ConnectionPool } from './connection-pool.ts';
import { PostgresDriver } from './postgres-driver.ts';

/** Creates Kysely's PostgreSQL dialect on a pool, which is closed with the Kysely instance. */
export function createPostgresDialect(pool: ConnectionPool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
