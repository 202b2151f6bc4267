/** Opens the database at the start, and waits for a PostgreSQL server that starts at the same time. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '#config';
import {
  type OnQuery,
  openStorage,
  type PostgresOptions,
  ServerUnreachable,
  type Storage,
  StorageStateError,
} from '#storage';
import type { FastifyBaseLogger } from 'fastify';
import { StartError } from './app-start-error.ts';

export interface StorageStart {
  config: Config;
  dataDir: string;
  now: () => number;
  logger: FastifyBaseLogger;
  /** Receives each query; undefined without metrics. */
  onQuery?: OnQuery | undefined;
  /** Ends the wait for PostgreSQL. */
  signal?: AbortSignal | undefined;
}

const RETRY_MS = 1_000;
/** The interval of the lines in the log that say what the start waits for. */
const NOTICE_MS = 5_000;

/**
 * Opens the database. If PostgreSQL cannot be reached, tries again for DATABASE_START_TIMEOUT_MS. Rejects
 * with StartError after that time, or at once if the server refuses the connection or DATA_DIR cannot be
 * used.
 */
export async function openStorageOrFail(start: StorageStart): Promise<Storage> {
  const { config, dataDir, logger } = start;
  const postgres = toPostgresOptions(start);
  const advice = postgres
    ? 'Start PostgreSQL, or correct DATABASE_URL.'
    : 'Correct that, or set DATA_DIR to a folder that this user may write.';
  const open = (): Promise<Storage> => openStorage({ dataDir, postgres, onQuery: start.onQuery });
  const storage = await retryUnreachable(open, config.databaseStartTimeoutMs, start).catch((cause: Error) => {
    if (start.signal?.aborted) throw cause;
    const text = cause.message.replace(/\.$/, '');
    throw new StartError(cause instanceof StorageStateError ? `${text}.` : `${text}. ${advice}`, { cause });
  });
  logger.info({ database: storage.description }, 'database opened');
  return storage;
}

/** Calls `open` until it succeeds, fails for another reason than ServerUnreachable, or the time is over. */
async function retryUnreachable(
  open: () => Promise<Storage>,
  timeoutMs: number,
  { logger, signal }: StorageStart,
): Promise<Storage> {
  const startedAtMs = performance.now();
  let noticedAtMs = -Infinity;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const nowMs = performance.now();
      const leftMs = startedAtMs + timeoutMs - nowMs;
      if (!(error instanceof ServerUnreachable) || leftMs <= 0) throw error;
      if (nowMs - noticedAtMs >= NOTICE_MS) {
        noticedAtMs = nowMs;
        const { message: reason } = error;
        logger.warn({ reason }, `waiting for PostgreSQL, for ${Math.ceil(leftMs / 1000)} s at most`);
      }
      await delay(Math.min(RETRY_MS, leftMs), undefined, { signal });
    }
  }
}

function toPostgresOptions({ config, now, logger }: StorageStart): PostgresOptions | null {
  if (config.databaseUrl === null) return null;
  const onHealthChange = (err: unknown): void =>
    err === null
      ? logger.info('PostgreSQL responds again')
      : logger.error({ err }, 'PostgreSQL does not respond');
  const { databaseUrl: url, databasePoolSize: poolSize, databaseStatementTimeoutMs } = config;
  return { url, poolSize, statementTimeoutMs: databaseStatementTimeoutMs, now, onHealthChange };
}
