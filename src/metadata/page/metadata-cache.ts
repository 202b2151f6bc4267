/**
 * Keeps results for requests that accept a cached one. The page's freshness (max-age, Expires, no-cache,
 * private, Vary) is ignored: the request itself says how old a result may be, and each account has results of
 * its own. Only no-store forbids keeping them.
 */
import { LRUCache } from 'lru-cache';
import type { PageHead, PageHop } from './fetch-page.ts';

/**
 * A result, and when it was stored, in milliseconds since the epoch. As one text it costs the garbage
 * collector nothing while it is kept, its size is known, and a shared store can hold it.
 */
export interface CacheEntry {
  /** A PageMetadata as JSON. */
  json: string;
  storedAtMs: number;
}

/** A store of results. Its keys are hashes. */
export interface MetadataCache {
  /** Returns the entry, or null if there is none or it has expired. */
  find(key: string): Promise<CacheEntry | null>;
  store(key: string, entry: CacheEntry): Promise<void>;
}

export interface MetadataCacheOptions {
  maxEntries: number;
  /** The approximate size of all entries, in bytes: one with details can have megabytes. Default 64 MiB. */
  maxBytes?: number;
  /** The time that an entry is kept, in seconds. */
  ttlSeconds: number;
  /** Returns the time in milliseconds. */
  now: () => number;
}

/** About what an entry needs besides its texts, which have up to two bytes per character. */
const ENTRY_BYTES = 200;

/** Opens a cache in this process's memory that evicts the least recently used entry. */
export function openMetadataCache({
  maxEntries,
  maxBytes = 64 * 1024 * 1024,
  ttlSeconds,
  now,
}: MetadataCacheOptions): MetadataCache {
  const entries = new LRUCache<string, CacheEntry>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ json }, key) => ENTRY_BYTES + 2 * (key.length + json.length),
  });
  return {
    async find(key) {
      const entry = entries.get(key);
      if (entry !== undefined && now() - entry.storedAtMs < ttlSeconds * 1000) return entry;
      entries.delete(key);
      return null;
    },
    async store(key, entry) {
      entries.set(key, entry);
    },
  };
}

/**
 * Returns whether the result of this page may be stored: not if the page, or a redirect to it, declares
 * no-store (RFC 9111 §5.2.2.5), and not if its status may be gone at the next request (403, 429, 5xx …).
 */
export function mayBeStored(head: PageHead): boolean {
  const { status } = head;
  if (status >= 400 && status !== 404 && status !== 410) return false;
  return !hasNoStore(head) && !head.redirects.some(hasNoStore);
}

function hasNoStore({ headers }: Pick<PageHop, 'headers'>): boolean {
  const directives = (headers.get('cache-control') ?? '').toLowerCase().split(',');
  return directives.some((directive) => directive.trim() === 'no-store');
}
