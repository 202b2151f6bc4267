import { LRUCache } from 'lru-cache';
import type { MetadataCache } from '#metadata';
import { CACHE_TIMEOUT_MS, type RedisLink } from './redis-link.ts';

/** A larger entry would delay the counts of other requests on the same connection. */
const MAX_ENTRY_BYTES = 1024 * 1024;
/** About what Redis needs for an entry besides its value. */
const OVERHEAD_BYTES = 200;
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Creates a cache that replicas share. While Redis does not reply it is empty. Entries of this replica past
 * `maxBytes` are deleted, the oldest first: results of one account must not fill the memory of Redis, which
 * would then evict the counts of rate limits.
 */
export function createRedisMetadataCache(
  link: RedisLink,
  ttlSeconds: number,
  maxBytes = MAX_BYTES,
): MetadataCache {
  const formatKey = (key: string): string => `${link.prefix}metadata:{${key}}`;
  /** The sizes of the entries that this replica has stored. Some have expired since. */
  const stored = new LRUCache<string, number>({
    max: MAX_ENTRIES,
    maxSize: maxBytes,
    sizeCalculation: (bytes) => bytes,
    dispose(_bytes, name, reason) {
      if (reason === 'evict') link.call((redis) => redis.unlink(name), CACHE_TIMEOUT_MS).catch(() => {});
    },
  });
  return {
    async find(key) {
      const text = await link.call((redis) => redis.get(formatKey(key)), CACHE_TIMEOUT_MS).catch(() => null);
      // Not a text if a proxy mixes replies up.
      const end = typeof text === 'string' ? text.indexOf('\n') : -1;
      if (!text || end < 0) return null;
      return { storedAtMs: Number(text.slice(0, end)), json: text.slice(end + 1) };
    },
    async store(key, { json, storedAtMs }) {
      const text = `${storedAtMs}\n${json}`;
      const bytes = Buffer.byteLength(text);
      if (bytes > MAX_ENTRY_BYTES) return;
      const name = formatKey(key);
      // Before the call: its reply may be lost.
      stored.set(name, bytes + OVERHEAD_BYTES);
      await link.call((redis) => redis.set(name, text, 'EX', ttlSeconds), CACHE_TIMEOUT_MS).catch(() => {});
    },
  };
}
