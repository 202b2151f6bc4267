import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { ApiError } from '#errors';

/** The total time that a statement waits for another process's lock. */
const LOCK_BUDGET_MS = 5_000;
/** The time that SQLite itself waits, which blocks the event loop; the rest is waited with timers. */
const BLOCKING_WAIT_MS = 20;
/** Pages of the write-ahead log at which a commit copies them into the database. Usage is copied earlier. */
const AUTO_CHECKPOINT_PAGES = 4_000;
const MAX_STATEMENTS = 500;
/** The text of an insert depends on its number of rows: long ones are not cached. */
const MAX_CACHED_SQL_LENGTH = 4_096;

/**
 * Kysely's driver on node:sqlite: one connection, durable commits (WAL, synchronous=FULL). Waits for locks
 * without blocking the event loop.
 */
class SqliteDriver implements Driver {
  readonly #path: string;
  readonly #connection: SqliteConnection;

  constructor(path: string) {
    this.#path = path;
    this.#connection = new SqliteConnection();
  }

  async init(): Promise<void> {
    await this.#connection.open(this.#path);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  /** Acquires the write lock immediately: rows that a transaction selects cannot change before it writes. */
  async beginTransaction(): Promise<void> {
    await this.#connection.run('begin immediate');
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.run('commit');
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection.rollback();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#connection.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  #db: DatabaseSync | null = null;
  readonly #statements = new LRUCache<string, StatementSync>({ max: MAX_STATEMENTS });

  async open(path: string): Promise<void> {
    const db = new DatabaseSync(path, { timeout: BLOCKING_WAIT_MS, enableForeignKeyConstraints: true });
    this.#db = db;
    // Switching to WAL needs an exclusive lock, which another process that starts may hold.
    await waitForLock(() => db.exec('pragma journal_mode = wal'));
    db.exec('pragma synchronous = full');
    db.exec(`pragma wal_autocheckpoint = ${AUTO_CHECKPOINT_PAGES}`);
    // Deleted rows are overwritten: the file must not contain a deleted account's address.
    db.exec('pragma secure_delete = on');
    // A restored file may come from elsewhere: its schema must not call functions with side effects.
    db.exec('pragma trusted_schema = off');
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return waitForLock(() => this.#execute<R>(sql, parameters as SQLInputValue[]));
  }

  async run(sql: string): Promise<void> {
    await waitForLock(() => this.#database().exec(sql));
  }

  /** SQLite may have rolled back already, for example after a full disk. */
  async rollback(): Promise<void> {
    if (this.#database().isTransaction) await this.run('rollback');
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Results are not streamed: read pages.');
  }

  close(): void {
    this.#statements.clear();
    this.#db?.close();
    this.#db = null;
  }

  #execute<R>(sql: string, parameters: SQLInputValue[]): QueryResult<R> {
    const statement = this.#prepare(sql);
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database().prepare(sql);
    if (sql.length <= MAX_CACHED_SQL_LENGTH) this.#statements.set(sql, statement);
    return statement;
  }

  #database(): DatabaseSync {
    if (!this.#db) throw new ApiError('unavailable', undefined, { retryAfterSeconds: 30 });
    return this.#db;
  }
}

/** Result codes of SQLite (https://www.sqlite.org/rescode.html). */
const BUSY = 5;
const LOCKED = 6;
/**
 * These, and read-only, I/O error, corrupt, full, cannot open, not a database: the query is not the cause.
 */
const FAILURES = new Set([BUSY, LOCKED, 8, 10, 11, 13, 14, 26]);

async function waitForLock<T>(act: () => T): Promise<T> {
  const deadline = performance.now() + LOCK_BUDGET_MS;
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
    try {
      return act();
    } catch (error) {
      const code = getResultCode(error);
      if (code === null || !FAILURES.has(code)) throw error;
      if ((code !== BUSY && code !== LOCKED) || performance.now() > deadline)
        throw new ApiError('unavailable', undefined, { retryAfterSeconds: 30, cause: error });
    }
    await delay(waitMs);
  }
}

function getResultCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : null;
}

/** SQLite runs DDL in transactions, so that a migration runs as a whole or not at all. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Creates Kysely's SQLite dialect on node:sqlite; `path` is a file or `:memory:`. */
export function createSqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteDriver(path),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
