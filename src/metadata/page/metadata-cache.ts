/** Caches metadata no longer than the targets' headers allow. */
import { LRUCache } from 'lru-cache';
import type { PageHead, PageHop } from './fetch-page.ts';
import type { PageMetadata } from './page-metadata.ts';

/** A store of metadata. Entries are plain JSON, so a shared store can hold them. */
export interface MetadataCache {
  /** The longest lifetime of an entry, and the lifetime of one whose target declares none. */
  readonly ttlSeconds: number;
  /** Returns the entry, or null if there is none or it has expired. */
  find(key: string): Promise<PageMetadata | null> | PageMetadata | null;
  store(key: string, metadata: PageMetadata, lifetimeMs: number): Promise<void> | void;
}

export interface MetadataCacheOptions {
  maxEntries: number;
  /** The approximate size of all entries: one with details can have megabytes. Default 64 MiB. */
  maxBytes?: number;
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
  const entries = new LRUCache<string, { metadata: PageMetadata; expiresAt: number }>({
    max: maxEntries,
    maxSize: maxBytes,
    // Two bytes per character.
    sizeCalculation: ({ metadata }, key) => 2 * (JSON.stringify(metadata).length + key.length),
  });
  return {
    ttlSeconds,
    find(key) {
      const entry = entries.get(key);
      if (entry !== undefined && entry.expiresAt > now()) return entry.metadata;
      entries.delete(key);
      return null;
    },
    store(key, metadata, lifetimeMs) {
      entries.set(key, { metadata, expiresAt: now() + lifetimeMs });
    },
  };
}

/** The statuses that are cacheable without an explicit lifetime (RFC 9110 §15.1). */
const CACHEABLE = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);

/**
 * Returns the milliseconds for which a page may be cached, 0 for not at all: the shortest lifetime that the
 * target and the hops to it declare (RFC 9111 §4.2), at most `ttlSeconds`, which is also the default.
 */
export function computeLifetimeMs(head: PageHead, ttlSeconds: number, now: number): number {
  const limitMs = ttlSeconds * 1_000;
  let lifetimeMs = findDeclaredLifetimeMs(head, now) ?? (CACHEABLE.has(head.status) ? limitMs : 0);
  for (const hop of head.redirects)
    lifetimeMs = Math.min(lifetimeMs, findDeclaredLifetimeMs(hop, now) ?? limitMs);
  return Math.max(0, Math.min(lifetimeMs, limitMs));
}

/** Returns the lifetime in milliseconds that one response declares, or null if it declares none. */
function findDeclaredLifetimeMs({ headers }: Pick<PageHop, 'headers'>, now: number): number | null {
  const control = parseCacheControl(headers.get('cache-control') ?? '');
  const isForbidden = control.has('no-store') || control.has('no-cache') || control.has('private');
  if (isForbidden || headers.get('vary')?.includes('*') === true) return 0;
  const explicit = control.get('s-maxage') ?? control.get('max-age');
  const ageMs = (parseSeconds(headers.get('age') ?? '0') ?? 0) * 1_000;
  if (explicit !== undefined) return (parseSeconds(explicit) ?? 0) * 1_000 - ageMs;
  const expires = headers.get('expires');
  if (expires === undefined) return null;
  const date = parseHttpDate(headers.get('date') ?? '');
  const expiresAt = parseHttpDate(expires);
  return Number.isNaN(expiresAt) ? 0 : expiresAt - (Number.isNaN(date) ? now : date) - ageMs;
}

/** Parses Cache-Control. Of a repeated directive the first counts (RFC 9111 §4.2.1). */
function parseCacheControl(header: string): Map<string, string> {
  const directives = new Map<string, string>();
  for (const directive of header.split(',')) {
    const [name = '', value = ''] = directive.split('=');
    const key = name.trim().toLowerCase();
    if (!directives.has(key)) directives.set(key, value.trim().replace(/^"|"$/g, ''));
  }
  return directives;
}

/** Parses an HTTP date to milliseconds; NaN for others: `Expires: 0` means expired (RFC 9111 §5.3). */
function parseHttpDate(value: string): number {
  return value.endsWith(' GMT') ? Date.parse(value) : NaN;
}

function parseSeconds(value: string): number | null {
  return /^\d+$/.test(value) ? Number(value) : null;
}
