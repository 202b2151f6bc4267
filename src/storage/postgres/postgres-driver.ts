import { setTimeout as delay } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type DatabaseMetadataOptions,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TableMetadata,
  type TransactionSettings,
  sql,
} from 'kysely';
import pg from 'pg';
import { TransactionConflict } from '../sql/transaction.ts';
import type { ConnectionPool } from './connection-pool.ts';

const MAX_TRIES = 5;
const RETRY_PAUSE_MS = 5;
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Kysely's driver on a pool of connections to PostgreSQL. Its errors come from `judgeError`. */
class PostgresDriver implements Driver {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new PostgresConnection(this.#pool, await this.#pool.connect());
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    await (connection as PostgresConnection).begin(`begin${level}`);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).end('commit');
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).end('rollback');
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as PostgresConnection).release();
  }

  async destroy(): Promise<void> {
    await this.#pool.close();
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #pool: ConnectionPool;
  readonly #client: pg.PoolClient;
  #isInTransaction = false;
  /** The error that aborted the transaction: PostgreSQL does not repeat it. */
  #abortedBy: unknown = null;
  #isBroken = false;

  constructor(pool: ConnectionPool, client: pg.PoolClient) {
    this.#pool = pool;
    this.#client = client;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const values = parameters.map(toValue);
    for (let tries = 1; ; tries += 1) {
      try {
        return toResult<R>(await this.#query(sql, values));
      } catch (error) {
        // A statement outside a transaction was undone as a whole.
        const canRetry = error instanceof TransactionConflict && !this.#isInTransaction;
        if (!canRetry || tries >= MAX_TRIES) throw error;
      }
      await delay(RETRY_PAUSE_MS * tries);
    }
  }

  async begin(sql: string): Promise<void> {
    await this.#query(sql, []);
    this.#isInTransaction = true;
    this.#abortedBy = null;
  }

  async end(sql: 'commit' | 'rollback'): Promise<void> {
    this.#isInTransaction = false;
    // The server rolls the transaction of a broken connection back.
    if (sql === 'rollback' && this.#isBroken) return;
    await this.#query(sql, []);
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Results are not streamed: read pages.');
  }

  release(): void {
    this.#client.release(this.#isBroken || this.#isInTransaction);
  }

  async #query(sql: string, values: unknown[]): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(sql, values);
    } catch (cause) {
      const { error, isConnectionBroken } = this.#pool.judge(cause);
      this.#isBroken ||= isConnectionBroken;
      if (isAborted(cause) && this.#abortedBy !== null) throw this.#abortedBy;
      this.#abortedBy = error;
      throw error;
    }
  }
}

/** Returns whether a statement failed only because an earlier one of its transaction had. */
function isAborted(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && cause.code === '25P02';
}

function toResult<R>({ rows, command, rowCount }: pg.QueryResult): QueryResult<R> {
  if (!CHANGES.has(command)) return { rows: rows as R[] };
  return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
}

/**
 * Replaces U+0000, which PostgreSQL cannot store, by U+FFFD. Input is validated before it is stored: this
 * concerns values that are searched for, and none is found.
 */
function toValue(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value;
}

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
 * Lists the tables of the schema in which tables are created. Kysely lists the tables of all schemas, so that
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
