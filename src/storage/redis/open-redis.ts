import { randomBytes } from 'node:crypto';
import type { AccessStore, FailureCounts, FailureLimits } from '#accounts/sign-in';
import type { MetadataCache } from '#metadata';
import type { ServerClock, UnitPool } from '#limits';
import type { RedisLinkOptions } from './redis-link.ts';
import { createRedisFailureCounts } from './redis-failure-counts.ts';
import { createRedisMetadataCache } from './redis-metadata-cache.ts';
import { createUnitPool, type UnitPoolEvents } from './redis-unit-pool.ts';

export interface RedisOptions extends RedisLinkOptions, UnitPoolEvents {
  clock: ServerClock;
  limits: FailureLimits;
  /** Keeps the key of the hashes that name callers in Redis, which replicas share. */
  secrets: Pick<AccessStore, 'findOrCreateSecret'>;
}

/** The state that replicas share in Redis. */
export interface RedisState {
  keyUnits: UnitPool;
  addressUnits: UnitPool;
  failureCounts: FailureCounts;
  createMetadataCache(ttlSeconds: number): MetadataCache;
  /** Returns the replicas that were alive lately, and why Redis cannot be used; null if it can. */
  check(): { replicas: number; outage: string | null };
  close(): Promise<void>;
}

/**
 * Connects to Redis. If it cannot be reached, the state is used alone by this replica until it can. Rejects
 * with RedisRefusal if it refuses the URL.
 */
export async function openRedis({ limits, secrets, ...options }: RedisOptions): Promise<RedisState> {
  const secret = await secrets.findOrCreateSecret('redis', randomBytes(32).toString('base64url'));
  // Loaded only here: a service without Redis starts sooner.
  const { RedisLink } = await import('./redis-link.ts');
  const link = new RedisLink(options);
  await link.open().catch(async (error: unknown) => {
    await link.close();
    throw error;
  });
  return {
    keyUnits: createUnitPool(link, 'key', secret, options),
    addressUnits: createUnitPool(link, 'address', secret, options),
    failureCounts: createRedisFailureCounts(link, secret, limits),
    createMetadataCache: (ttlSeconds) => createRedisMetadataCache(link, ttlSeconds),
    check: () => ({ replicas: link.replicas, outage: link.outage }),
    close: () => link.close(),
  };
}
