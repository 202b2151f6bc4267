/** Opens the state that replicas share: in Redis, or in memory for one process. */
import { createFallbackCounts, createMemoryFailureCounts, FAILURE_LIMITS } from '#accounts/sign-in';
import type { FailureCounts } from '#accounts/sign-in';
import type { Config } from '#config';
import type { PartState } from '#http';
import { type MetadataCache, openMetadataCache } from '#metadata';
import { createLeasedWindowCounter, createMemoryWindowCounter, ServerClock } from '#ratelimit';
import type { WindowCounter } from '#ratelimit';
import { openRedis, RedisRefusal, type Storage } from '#storage';
import type { FastifyBaseLogger } from 'fastify';
import { StartError } from './app-start-error.ts';

export interface SharedState {
  keyWindows: WindowCounter;
  addressWindows: WindowCounter;
  failureCounts: FailureCounts;
  /** Undefined if the operator has turned the cache off. */
  metadataCache: MetadataCache | undefined;
  /** Returns the parts that /readyz reports. */
  checkParts(): Record<string, PartState & { required: boolean }>;
  /** Returns the state of Redis; null without it. */
  getRedisState(): { replicas: number; outage: string | null } | null;
  close(): Promise<void>;
}

export interface SharedStateOptions {
  config: Config;
  now: () => number;
  logger: FastifyBaseLogger;
  storage: Storage;
  /** Observes calls and leases. */
  onCall?: ((isOk: boolean, ms: number | null) => void) | undefined;
  onLease?: ((units: number) => void) | undefined;
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
    checkParts: () => ({}),
    getRedisState: () => null,
    close: async () => {},
  };
}

async function openRedisState(
  { config, logger, storage, onCall, onLease }: SharedStateOptions,
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
    checkParts() {
      const { replicas, outage } = redis.check();
      // Without Redis each replica counts alone, so it still serves requests.
      const reason = 'Redis does not reply: each replica admits its part of the limits';
      return {
        redis: { required: false, ok: outage === null, ...(outage !== null && { reason }), replicas },
      };
    },
    getRedisState: () => redis.check(),
    async close() {
      await keyWindows.close();
      await addressWindows.close();
      await redis.close();
    },
  };
}
