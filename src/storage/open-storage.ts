import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { ApiError } from '#errors';
import type { AccountStore, KeyStore } from '#accounts';
import type { AccessStore } from '#accounts/sign-in';
import type { UsageStore } from '#usage';
import { createAccessStore } from './sql/access-store.ts';
import { createAccountStore } from './sql/account-store.ts';
import { createKeyStore } from './sql/key-store.ts';
import { loadKeyRevision } from './sql/key-changes.ts';
import { migrate } from './sql/migrate.ts';
import type { Schema } from './sql/schema.ts';
import { createSqliteDialect } from './sql/sqlite-dialect.ts';
import { createUsageStore } from './sql/usage-store.ts';

export interface StorageOptions {
  /** The folder of the embedded database; created with mode 0700 if it does not exist. */
  dataDir: string;
  /**
   * The interval of checks for changes by other processes, in milliseconds: 1,000 by default, 0 for none.
   */
  watchIntervalMs?: number;
}

/** The stores of one database. */
export interface Storage {
  accounts: AccountStore;
  keys: KeyStore;
  access: AccessStore;
  usage: UsageStore;
  /**
   * Calls `listener` after keys, accounts or plans have changed: immediately for changes by this process,
   * within a second for changes by others.
   */
  onKeyChange(listener: () => void): void;
  /** Resolves to true if a query succeeds now. */
  isHealthy(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens the database `dataDir/utility-api.db` and runs its migrations. Several processes can have it open.
 * Rejects with the path and the reason if the file cannot be opened.
 */
export async function openStorage({ dataDir, watchIntervalMs = 1_000 }: StorageOptions): Promise<Storage> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'utility-api.db');
  // Readable for this user only; SQLite gives its companion files the same mode.
  await (await open(path, 'a', 0o600)).close();
  const db = await openDatabase(path);
  // A write may wait for another process. Keys are found over a connection of their own, which does not wait.
  const reader = new Kysely<Schema>({ dialect: createSqliteDialect(path) });
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const stopWatching =
    watchIntervalMs > 0 ? await watchKeyChanges(reader, watchIntervalMs, notify) : () => {};
  return {
    accounts: createAccountStore(db, notify, () => emptyWriteAheadLog(db)),
    keys: createKeyStore(db, reader, notify),
    access: createAccessStore(db, notify),
    usage: createUsageStore(db, () => copyWriteAheadLog(db)),
    onKeyChange: (listener) => void listeners.add(listener),
    isHealthy: () =>
      loadKeyRevision(reader).then(
        () => true,
        () => false,
      ),
    async close() {
      stopWatching();
      await reader.destroy();
      await db.destroy();
    },
  };
}

async function openDatabase(path: string): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(path) });
  try {
    await migrate(db);
    return db;
  } catch (error) {
    await db.destroy();
    const { message } =
      error instanceof ApiError && error.cause instanceof Error ? error.cause : (error as Error);
    throw new Error(`The database ${path} cannot be opened: ${message}.`, { cause: error });
  }
}

/** Copies the write-ahead log into the database, except pages in use. The data is durable in either place. */
async function copyWriteAheadLog(db: Kysely<Schema>): Promise<void> {
  await sql`pragma wal_checkpoint(passive)`.execute(db).catch(() => {});
}

/** The number of tries to empty the log while another connection reads it, and the pause between them. */
const EMPTY_TRIES = 10;
const EMPTY_PAUSE_MS = 50;

/** Copies the write-ahead log into the database and truncates it: it holds old pages with deleted rows. */
async function emptyWriteAheadLog(db: Kysely<Schema>): Promise<void> {
  for (let tries = 0; tries < EMPTY_TRIES; tries += 1) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]?.busy === 0) return;
    await delay(EMPTY_PAUSE_MS);
  }
}

/**
 * Calls `notify` after commits of other connections that changed keys. Finds commits by
 * `pragma data_version`, which reads shared memory, then compares the revision of the keys. Returns the
 * function that stops it.
 */
async function watchKeyChanges(
  db: Kysely<Schema>,
  intervalMs: number,
  notify: () => void,
): Promise<() => void> {
  const loadDataVersion = async (): Promise<number> => {
    const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
    return rows[0]?.data_version ?? 0;
  };
  let dataVersion = await loadDataVersion();
  let revision = await loadKeyRevision(db);
  let isChecking = false;
  async function check(): Promise<void> {
    const seen = await loadDataVersion();
    if (seen === dataVersion) return;
    const found = await loadKeyRevision(db);
    dataVersion = seen;
    if (found === revision) return;
    revision = found;
    notify();
  }
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    // After a failure the next check finds the change.
    check()
      .catch(() => {})
      .finally(() => {
        isChecking = false;
      });
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
