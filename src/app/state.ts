/** Opens the state: the database, what replicas share, and the monthly quotas. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '#config';
import {
  type OnQuery,
  type PostgresOptions,
  RedisRefusal,
  ServerUnreachable,
  type Storage,
  StorageStateError,
  openRedis,
  openStorage,
} from '#storage';
import type { FastifyBaseLogger } from 'fastify';
import {
  type AccessContext,
  FAILURE_LIMITS,
  type FailureCounts,
  createFallbackCounts,
  createMemoryFailureCounts,
} from '#accounts/sign-in';
import { type MetadataCache, openMetadataCache } from '#metadata';
import {
  type MonthlyQuotas,
  type QuotaNotice,
  ServerClock,
  type WindowCounter,
  createLeasedWindowCounter,
  createMemoryWindowCounter,
  createMonthlyQuotas,
  formatQuotaMail,
} from '#limits';
import { StartError } from './lifecycle.ts';

interface StorageStart {
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
 * with StartError after that time, or immediately if the server refuses the connection or DATA_DIR cannot be
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

/** The state that replicas share: in Redis, or in memory for one process. */
export interface SharedState {
  keyWindows: WindowCounter;
  addressWindows: WindowCounter;
  failureCounts: FailureCounts;
  /** Undefined if the operator has turned the cache off. */
  metadataCache: MetadataCache | undefined;
  /** Returns the state of Redis; null without it. */
  getRedisState(): { replicas: number; outage: string | null } | null;
  close(): Promise<void>;
}

interface SharedStateOptions {
  config: Config;
  now: () => number;
  logger: FastifyBaseLogger;
  storage: Storage;
  /** Observes calls and leases. */
  onCall?: ((isOk: boolean, ms: number | null) => void) | undefined;
  onLease?: ((units: number) => void) | undefined;
  /** Called for each decision of a limit without Redis. */
  onAlone?: (() => void) | undefined;
}

const META_CACHE_ENTRIES = 10_000;
/** Addresses without a valid key cost memory in this process and in Redis: a flood shares one count. */
const MAX_ADDRESSES = 100_000;

/** Opens the state. Rejects with StartError if Redis refuses the URL. */
export async function openSharedState(options: SharedStateOptions): Promise<SharedState> {
  const { config, now } = options;
  const failureCounts = createMemoryFailureCounts(now);
  if (config.redisUrl !== null) return openRedisState(options, config.redisUrl, failureCounts);
  const { metaCacheTtlSeconds: ttlSeconds } = config;
  return {
    keyWindows: createMemoryWindowCounter(),
    addressWindows: createMemoryWindowCounter(),
    failureCounts,
    metadataCache:
      ttlSeconds > 0 ? openMetadataCache({ maxEntries: META_CACHE_ENTRIES, ttlSeconds, now }) : undefined,
    getRedisState: () => null,
    close: async () => {},
  };
}

async function openRedisState(
  { config, logger, storage, onCall, onLease, onAlone }: SharedStateOptions,
  url: string,
  localCounts: FailureCounts,
): Promise<SharedState> {
  const redis = await openRedis({
    url,
    prefix: config.redisPrefix,
    clock: new ServerClock(() => performance.now()),
    limits: FAILURE_LIMITS,
    secrets: storage.access,
    onCall,
    onLease,
    onAlone,
    log: (level, message, facts) => logger[level](facts, message),
  }).catch(async (error: unknown) => {
    await storage.close();
    if (!(error instanceof RedisRefusal)) throw error;
    throw new StartError(`Redis cannot be used: ${error.message}.`, { cause: error });
  });
  const keyWindows = createLeasedWindowCounter({ pool: redis.keyUnits });
  const addressWindows = createLeasedWindowCounter({ pool: redis.addressUnits, maxKeys: MAX_ADDRESSES });
  const { metaCacheTtlSeconds: ttlSeconds } = config;
  return {
    keyWindows,
    addressWindows,
    failureCounts: createFallbackCounts(redis.failureCounts, localCounts),
    metadataCache: ttlSeconds > 0 ? redis.createMetadataCache(ttlSeconds) : undefined,
    getRedisState: () => redis.check(),
    async close() {
      await keyWindows.close();
      await addressWindows.close();
      await redis.close();
    },
  };
}

interface QuotasOptions {
  config: Config;
  storage: Storage;
  now: () => number;
  logger: FastifyBaseLogger;
  sendMail: AccessContext['sendMail'];
  /** Returns the service's URL for links in mails. */
  getOrigin: () => string;
}

/** Creates the quotas of MONTHLY_QUOTAS; null if it is not set. */
export function openQuotas(options: QuotasOptions): MonthlyQuotas | null {
  const { config, storage, now, logger } = options;
  if (config.monthlyQuotas === null) return null;
  return createMonthlyQuotas({
    store: storage.quotas,
    now,
    onNotice: (notice) => {
      sendNotice(options, notice).catch((err: unknown) =>
        logger.error({ err }, 'the mail about a monthly quota could not be sent'),
      );
    },
    onError: (err) =>
      logger.error({ err }, 'cannot load monthly usage: quotas count on from the last known totals'),
  });
}

async function sendNotice(
  { storage, sendMail, getOrigin }: QuotasOptions,
  notice: QuotaNotice,
): Promise<void> {
  const account = await storage.accounts.findAccount(notice.accountId);
  if (account === null || account.disabled) return;
  await sendMail({ to: account.email, ...formatQuotaMail(notice, getOrigin()) });
}
