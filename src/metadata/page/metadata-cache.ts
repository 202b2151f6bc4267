/**
 * Keeps results for requests that accept a cached one. The page's freshness (max-age, Expires, no-cache,
 * private, Vary) is ignored: the request itself says how old a result may be, and each account has results of
 * its own. Only no-store forbids keeping them.
 */
import { LRUCache } from 'lru-cache';
import type { PageHead, PageHop } from './fetch-page.ts';
import type { PageMetadata } from './page-metadata.ts';

/** A result, and when it was stored, in milliseconds since the epoch. */
export interface CacheEntry {
  metadata: PageMetadata;
  storedAtMs: number;
}

/** A store of results. Keys are hashes and entries are plain JSON, so a shared store can hold them. */
export interface MetadataCache {
  /** Returns the entry, or null if there is none or it has expired. */
  find(key: string): Promise<CacheEntry | null> | CacheEntry | null;
  store(key: string, entry: CacheEntry): Promise<void> | void;
}

export interface MetadataCacheOptions {
  maxEntries: number;
  /** The approximate size of all entries: one with details can have megabytes. Default 64 MiB. */
  maxBytes?: number;
  /** The time that an entry is kept, in seconds. */
  ttlSeconds: number;
  /** Returns the time in milliseconds. */
  now: () => number;
}

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
    sizeCalculation: (entry, key) => estimateBytes(key) + estimateBytes(entry),
  });
  return {
    find(key) {
      const entry = entries.get(key);
      if (entry !== undefined && now() - entry.storedAtMs < ttlSeconds * 1000) return entry;
      entries.delete(key);
      return null;
    },
    store(key, entry) {
      entries.set(key, entry);
    },
  };
}

/** About what V8 needs for a value in an object or array, without the text that it refers to. */
const VALUE_BYTES = 16;

/** Estimates the memory of plain JSON, with two bytes per character. JSON-LD bounds its depth. */
function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + 2 * value.length;
  let bytes = VALUE_BYTES;
  if (typeof value !== 'object' || value === null) return bytes;
  if (!Array.isArray(value)) for (const name of Object.keys(value)) bytes += 2 * name.length;
  for (const member of Object.values(value)) bytes += estimateBytes(member);
  return bytes;
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
