import {
  type DatabaseIntrospector,
  type DatabaseMetadataOptions,
  type Dialect,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type TableMetadata,
} from 'kysely';
import type { ConnectionPool } from './connection-pool.ts';
import { PostgresDriver } from './postgres-driver.ts';

/** Creates Kysely's PostgreSQL dialect on a pool, which is closed with the Kysely instance. */
export function createPostgresDialect(pool: ConnectionPool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(pool),
    createIntrospector: (db) => new OwnSchemaIntrospector(db as Kysely<unknown>),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/**
 * Lists the tables of the schema in which tables are created. Kysely lists those of all schemas, so that
 * migrations would take the tables of another program in the same database for their own.
 */
class OwnSchemaIntrospector extends PostgresIntrospector implements DatabaseIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(
      this.#db,
    );
    const tables = await super.getTables(options);
    return tables.filter(({ schema }) => schema === rows[0]?.schema);
  }
}
