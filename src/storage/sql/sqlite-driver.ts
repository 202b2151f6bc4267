import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { ApiError } from '#errors';

/** How long a statement waits for another process's lock, in all. */
const LOCK_BUDGET_MS = 5_000;
/** How long SQLite itself waits, which stops the event loop; the rest of the budget is waited outside it. */
const BLOCKING_WAIT_MS = 20;
/** Pages of the write-ahead log at which a commit copies them into the database by itself; usage is copied earlier, in turns of its own. */
const AUTO_CHECKPOINT_PAGES = 4_000;
const MAX_STATEMENTS = 500;
/** Inserts of many rows have as many texts as row counts: they are not kept. */
const MAX_KEPT_SQL_LENGTH = 4_096;

/** Kysely's driver on node:sqlite: one connection, durable commits (WAL, synchronous=FULL), waiting for locks without stopping the event loop. */
export class SqliteDriver implements Driver {
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

  /** Immediate: the write lock is taken first, so that what a transaction read cannot be outdated when it writes. */
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
  readonly #statements = new Map<string, StatementSync>();

  async open(path: string): Promise<void> {
    const db = new DatabaseSync(path, { timeout: BLOCKING_WAIT_MS, enableForeignKeyConstraints: true });
    this.#db = db;
    // Switching to WAL needs the file for itself, which two processes that start at once both want.
    await waitForLock(() => db.exec('pragma journal_mode = wal'));
    db.exec('pragma synchronous = full');
    db.exec(`pragma wal_autocheckpoint = ${AUTO_CHECKPOINT_PAGES}`);
    // What is deleted is overwritten: a deleted account's address must not stay in the file.
    db.exec('pragma secure_delete = on');
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return waitForLock(() => this.#execute<R>(sql, parameters as SQLInputValue[]));
  }

  async run(sql: string): Promise<void> {
    await waitForLock(() => this.#database().exec(sql));
  }

  /** SQLite may have rolled back by itself, as after a full disk. */
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
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    if (sql.length <= MAX_KEPT_SQL_LENGTH) this.#statements.set(sql, statement);
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
/** Read-only, I/O error, corrupt, full, cannot open, not a database: the database is ill, not the query. */
const FAILURES = new Set([BUSY, LOCKED, 8, 10, 11, 13, 14, 26]);

async function waitForLock<T>(act: () => T): Promise<T> {
  const deadline = performance.now() + LOCK_BUDGET_MS;
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
    try {
      return act();
    } catch (error) {
      const code = readResultCode(error);
      if (code === null || !FAILURES.has(code)) throw error;
      if ((code !== BUSY && code !== LOCKED) || performance.now() > deadline)
        throw new ApiError('unavailable', undefined, { retryAfterSeconds: 30, cause: error });
    }
    await delay(waitMs);
  }
}

function readResultCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : null;
}
