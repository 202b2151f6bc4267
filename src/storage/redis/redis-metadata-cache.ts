import type { MetadataCache } from '#metadata';
import type { RedisLink } from './redis-link.ts';

/** A larger entry would delay the counts of other requests on the same connection. */
const MAX_ENTRY_BYTES = 1024 * 1024;

/** Creates a cache that replicas share. While Redis does not reply it is empty. */
export function createRedisMetadataCache(link: RedisLink, ttlSeconds: number): MetadataCache {
  const formatKey = (key: string): string => `${link.prefix}metadata:{${key}}`;
  return {
    async find(key) {
      const text = await link.call((redis) => redis.get(formatKey(key))).catch(() => null);
      // Not a text if a proxy mixes replies up.
      const end = typeof text === 'string' ? text.indexOf('\n') : -1;
      if (!text || end < 0) return null;
      return { storedAtMs: Number(text.slice(0, end)), json: text.slice(end + 1) };
    },
    async store(key, { json, storedAtMs }) {
      const text = `${storedAtMs}\n${json}`;
      if (Buffer.byteLength(text) > MAX_ENTRY_BYTES) return;
      await link.call((redis) => redis.set(formatKey(key), text, 'EX', ttlSeconds)).catch(() => {});
    },
  };
}
