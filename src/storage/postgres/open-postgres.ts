import { Kysely, sql } from 'kysely';
import { ApiError } from '#errors';
import { createAccessStore } from '../sql/access-store.ts';
import { createAccountStore } from '../sql/account-store.ts';
import { createKeyStore, loadKeyRevision } from '../sql/key-store.ts';
import { createQueryLog } from '../sql/transaction.ts';
import type { Schema } from '../sql/schema.ts';
import { createQuotaStore, createUsageStore } from '../sql/usage-store.ts';
import { type Storage, StorageStateError, createKeyChangeListeners } from '../storage.ts';
import { ConnectionPool, ServerHealth } from './connection-pool.ts';
import { type KeyNotices, openKeyNotices } from './key-notices.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { createPostgresDialect } from './postgres-driver.ts';
import { ServerUnreachable, isUnreachable } from './postgres-errors.ts';
import { describeServer, type PostgresOptions, toClientOptions } from './postgres-options.ts';
import { createUsageStatement } from './usage-statement.ts';

export type { PostgresOptions };

/** Lookups of keys, probes and heartbeats are queries of a row: they take a millisecond. */
const SHORT_TIMEOUT_MS = 750;
const READER_CONNECTIONS = 2;
/** One statement for the usage of a second; its rows take some milliseconds of the event loop. */
const ROWS_PER_BATCH = 2_000;

/** The connections to one server. */
export interface PostgresConnections {
  db: Kysely<Schema>;
  /** Finds keys over connections of its own, which slow queries do not occupy. */
  reader: Kysely<Schema>;
  health: ServerHealth;
  close(): Promise<void>;
}

/** Opens the database and runs its migrations. Without an interval, changes by others are not watched. */
export async function openPostgres(options: PostgresOptions, watchIntervalMs: number): Promise<Storage> {
  const { db, reader, health, close } = await connectPostgres(options);
  const { add, notify } = createKeyChangeListeners();
  const notices: KeyNotices | null =
    watchIntervalMs > 0
      ? openKeyNotices({
          client: toClientOptions(options.url, SHORT_TIMEOUT_MS),
          now: options.now,
          onNotice: notify,
          onLost: () => health.suspect(),
        })
      : null;
  const unwatched = { confirmedAtMs: 0, isEnded: false };
  return {
    description: describeServer(options.url),
    // Vacuum removes deleted rows from the files of the server.
    accounts: createAccountStore(db, notify, async () => {}),
    keys: createKeyStore(db, reader, notify),
    access: createAccessStore(db, notify),
    usage: {
      ...createUsageStore(db, createUsageStatement(db, options.now), async () => {}),
      rowsPerBatch: ROWS_PER_BATCH,
    },
    quotas: createQuotaStore(db, reader),
    onKeyChange: add,
    getKeyWatch: () => notices?.getWatch() ?? unwatched,
    isHealthy: () =>
      loadKeyRevision(reader).then(
        () => true,
        () => false,
      ),
    async loadSizeBytes() {
      const { rows } = await sql<{
        bytes: number;
      }>`select pg_database_size(current_database()) as bytes`.execute(reader);
      return rows[0]?.bytes ?? null;
    },
    async close() {
      await notices?.close();
      await close();
    },
  };
}

/**
 * Connects to the server and runs the migrations. Rejects with the server and the reason if it fails, with
 * ServerUnreachable if this may pass by itself.
 */
export async function connectPostgres(options: PostgresOptions): Promise<PostgresConnections> {
  const short = toClientOptions(options.url, SHORT_TIMEOUT_MS);
  const health = new ServerHealth(short, (cause) => {
    options.onHealthChange?.(cause);
    if (cause === null) return;
    pool.replace();
    readerPool.replace();
  });
  const pool = new ConnectionPool(
    toClientOptions(options.url, options.statementTimeoutMs),
    options.poolSize,
    health,
  );
  const readerPool = new ConnectionPool(short, READER_CONNECTIONS, health);
  const log = createQueryLog(options.onQuery);
  const db = new Kysely<Schema>({ dialect: createPostgresDialect(pool), ...log });
  const reader = new Kysely<Schema>({ dialect: createPostgresDialect(readerPool), ...log });
  async function close(): Promise<void> {
    health.close();
    await Promise.all([pool.close(), readerPool.close()]);
    await Promise.all([db.destroy(), reader.destroy()]);
  }
  try {
    await assertSupported(db);
    await migratePostgres(options.url);
    return { db, reader, health, close };
  } catch (error) {
    await close();
    if (error instanceof StorageStateError) throw error;
    const cause = error instanceof ApiError && error.cause instanceof Error ? error.cause : (error as Error);
    const server = describeServer(options.url);
    // Node's error for several addresses of a host has a code and no message.
    const reason = cause.message || (cause as NodeJS.ErrnoException).code;
    if (isUnreachable(cause))
      throw new ServerUnreachable(`${server} cannot be reached: ${reason}.`, { cause: error });
    throw new Error(`${server} cannot be used: ${reason}.`, { cause: error });
  }
}

const MIN_VERSION = 150_000;

/** Throws if the server is too old, or if the database cannot store all characters. */
async function assertSupported(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: string; encoding: string }>`
    select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding
  `.execute(db);
  const { version, encoding } = rows[0] ?? {};
  if (Number(version) < MIN_VERSION)
    throw new Error(`its version is ${Math.floor(Number(version) / 10_000)}, and 15 or newer is needed`);
  if (encoding !== 'UTF8')
    throw new Error(
      `its encoding is ${encoding}, and UTF8 is needed: create the database with ENCODING 'UTF8' TEMPLATE template0`,
    );
}
