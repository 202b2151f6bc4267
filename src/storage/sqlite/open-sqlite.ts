import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { ApiError } from '#errors';
import type { KeyWatch } from '#accounts';
import { createAccessStore } from '../sql/access-store.ts';
import { createAccountStore } from '../sql/account-store.ts';
import { createKeyStore, loadKeyRevision } from '../sql/key-store.ts';
import { migrate } from '../sql/migrate.ts';
import { createQueryLog, type OnQuery } from '../sql/transaction.ts';
import type { Schema } from '../sql/schema.ts';
import { createQuotaStore, createUsageStore } from '../sql/usage-store.ts';
import { type Storage, StorageStateError, createKeyChangeListeners } from '../storage.ts';
import { type FileLock, ensurePrivateFile, shareDatabase } from './file-lock.ts';
import { createSqliteDialect } from './sqlite-driver.ts';
import { createSqliteUsageWriter } from './write-usage.ts';
import { watchKeyChanges } from './watch-key-changes.ts';

/** SQLITE_CORRUPT and SQLITE_NOTADB, the primary result codes of a file that SQLite cannot use. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

/** Returns the path of the embedded database. */
export function getSqlitePath(dataDir: string): string {
  return join(dataDir, 'utility-api.db');
}

/** Opens the database `dataDir/utility-api.db`. `watchIntervalMs` is the interval of checks for changes. */
export async function openSqlite(
  dataDir: string,
  watchIntervalMs: number,
  onQuery?: OnQuery,
): Promise<Storage> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = getSqlitePath(dataDir);
  // Before the database is opened: a restore may be replacing it.
  const lock = await lockOrFail(dataDir, path);
  const db = await openDatabase(path, onQuery).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  // A write may wait for another process. Keys are found over a connection of their own, which does not wait.
  const reader = new Kysely<Schema>({ dialect: createSqliteDialect(path), ...createQueryLog(onQuery) });
  const { add, notify } = createKeyChangeListeners();
  const stopWatching =
    watchIntervalMs > 0 ? await watchKeyChanges(reader, watchIntervalMs, () => notify(null)) : () => {};
  const { write, onChange } = createSqliteUsageWriter(db, () => copyWriteAheadLog(db));
  // A key is queried again every few seconds, which costs microseconds: nothing has to be confirmed.
  const watch: KeyWatch = { confirmedAtMs: 0, isEnded: false };
  return {
    description: `SQLite in ${path}`,
    accounts: createAccountStore(db, notify, () => emptyWriteAheadLog(db)),
    keys: createKeyStore(db, reader, notify),
    access: createAccessStore(db, notify),
    usage: createUsageStore(db, write, onChange),
    quotas: createQuotaStore(db, reader),
    onKeyChange: add,
    getKeyWatch: () => watch,
    isHealthy: () =>
      loadKeyRevision(reader).then(
        () => true,
        () => false,
      ),
    async loadSizeBytes() {
      const { rows } = await sql<{
        bytes: number;
      }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(reader);
      return rows[0]?.bytes ?? null;
    },
    async close() {
      stopWatching();
      await reader.destroy();
      await db.destroy();
      lock.release();
    },
  };
}

async function lockOrFail(dataDir: string, path: string): Promise<FileLock> {
  return shareDatabase(dataDir).catch((error: Error) => {
    throw error instanceof StorageStateError ? error : describeFailure(path, error);
  });
}

async function openDatabase(path: string, onQuery: OnQuery | undefined): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(path), ...createQueryLog(onQuery) });
  try {
    // SQLite gives the files beside it the same mode.
    await ensurePrivateFile(path);
    await migrate(db);
    return db;
  } catch (error) {
    await db.destroy();
    if (error instanceof StorageStateError) throw error;
    throw describeFailure(path, error);
  }
}

function describeFailure(path: string, error: unknown): Error {
  const reason: Error & { errcode?: number } =
    error instanceof ApiError && error.cause instanceof Error ? error.cause : (error as Error);
  const text = `The database ${path} cannot be opened: ${reason.message}.`;
  if (!DAMAGED.has((reason.errcode ?? 0) % 256)) return new Error(text, { cause: error });
  return new StorageStateError(
    `${text} It is damaged: restore a backup with --replace (docs/operate/recover.md)`,
    { cause: error },
  );
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
