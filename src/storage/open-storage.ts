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
import { readKeyRevision } from './sql/key-changes.ts';
import { migrate } from './sql/migrate.ts';
import type { Schema } from './sql/schema.ts';
import { createSqliteDialect } from './sql/sqlite-dialect.ts';
import { createUsageStore } from './sql/usage-store.ts';

export interface StorageOptions {
  /** The folder of the embedded database; created where it is missing, for this user alone. */
  dataDir: string;
  /** The clock of sessions; the machine's unless told. */
  now?: () => number;
  /** How often other processes' changes are looked for, in milliseconds; 1,000 unless told. 0: never. */
  watchIntervalMs?: number;
}

/** The stores, and what belongs to the database as a whole. */
export interface Storage {
  accounts: AccountStore;
  keys: KeyStore;
  access: AccessStore;
  usage: UsageStore;
  /** Calls back when keys, accounts or plans have changed: at once for changes of this process, within a second for those of others. */
  onKeyChange(listener: () => void): void;
  /** Whether the database answers now. */
  isHealthy(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the database in `dataDir/utility-api.db` and brings its tables up to date. Several processes may have it open. */
export async function openStorage({
  dataDir,
  now = Date.now,
  watchIntervalMs = 1_000,
}: StorageOptions): Promise<Storage> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'utility-api.db');
  // Only this user may read it; SQLite gives its companion files the same mode.
  await (await open(path, 'a', 0o600)).close();
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(path) });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    const { message } =
      error instanceof ApiError && error.cause instanceof Error ? error.cause : (error as Error);
    throw new Error(`The database ${path} cannot be opened: ${message}.`, { cause: error });
  }
  // A write may wait for another process; who calls is asked over a connection of its own, which never does.
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
    access: createAccessStore(db, now, notify),
    usage: createUsageStore(db, () => copyWriteAheadLog(db)),
    onKeyChange: (listener) => void listeners.add(listener),
    isHealthy: () =>
      readKeyRevision(reader).then(
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

/** Copies the write-ahead log into the database as far as nobody reads it; what is stored is safe in either. */
async function copyWriteAheadLog(db: Kysely<Schema>): Promise<void> {
  await sql`pragma wal_checkpoint(passive)`.execute(db).catch(() => {});
}

/** How often the log is tried to be emptied while another connection reads it, and the pause between two tries. */
const EMPTY_TRIES = 10;
const EMPTY_PAUSE_MS = 50;

/** Copies the write-ahead log into the database and cuts it to nothing: it holds earlier versions of pages, and so of deleted rows. */
async function emptyWriteAheadLog(db: Kysely<Schema>): Promise<void> {
  for (let tries = 0; tries < EMPTY_TRIES; tries += 1) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]?.busy === 0) return;
    await delay(EMPTY_PAUSE_MS);
  }
}

/** Looks for commits over other connections (`pragma data_version`, a read of shared memory) and, where there are any, for a change of keys. */
async function watchKeyChanges(
  db: Kysely<Schema>,
  intervalMs: number,
  notify: () => void,
): Promise<() => void> {
  const readDataVersion = async (): Promise<number> => {
    const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
    return rows[0]?.data_version ?? 0;
  };
  let dataVersion = await readDataVersion();
  let revision = await readKeyRevision(db);
  let isLooking = false;
  async function look(): Promise<void> {
    const seen = await readDataVersion();
    if (seen === dataVersion) return;
    const found = await readKeyRevision(db);
    dataVersion = seen;
    if (found === revision) return;
    revision = found;
    notify();
  }
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // A failure says nothing about the keys: the next look tells.
    look()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
