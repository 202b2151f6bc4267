/** Answers kept for a while, never longer than the target itself allows. Off unless one is handed to getMetadata. */
import { LRUCache } from 'lru-cache';
import type { PageHead } from './fetch-page.ts';
import type { PageMetadata } from './page-metadata.ts';

/** Where answers are kept. Entries are plain JSON, so a shared store can hold them. */
export interface MetadataCache {
  /** How long an answer lives at most, and where the target says nothing. */
  readonly ttlSeconds: number;
  find(key: string): Promise<PageMetadata | null> | PageMetadata | null;
  store(key: string, metadata: PageMetadata, lifetimeMs: number): Promise<void> | void;
}

export interface MetadataCacheOptions {
  maxEntries: number;
  ttlSeconds: number;
  /** Milliseconds. */
  now: () => number;
}

/** A cache in this process's memory: the least recently used entry goes first. */
export function openMetadataCache({ maxEntries, ttlSeconds, now }: MetadataCacheOptions): MetadataCache {
  const entries = new LRUCache<string, { metadata: PageMetadata; expiresAt: number }>({ max: maxEntries });
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

/** Statuses whose answers may be kept where nothing is said of it (RFC 9110 §15.1). */
const CACHEABLE = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);

/** How long an answer may be kept: what the target says (RFC 9111 §4.2), at most `ttlSeconds`, which also counts where it says nothing; 0 for not at all. */
export function findLifetimeMs(head: PageHead, ttlSeconds: number, now: number): number {
  const { headers } = head;
  const control = parseCacheControl(headers.get('cache-control') ?? '');
  const isForbidden = control.has('no-store') || control.has('no-cache') || control.has('private');
  if (isForbidden || headers.get('vary')?.includes('*') === true) return 0;
  const explicit = control.get('s-maxage') ?? control.get('max-age');
  const limitMs = ttlSeconds * 1_000;
  if (explicit !== undefined) {
    const ageMs = (parseSeconds(headers.get('age') ?? '0') ?? 0) * 1_000;
    return clamp((parseSeconds(explicit) ?? 0) * 1_000 - ageMs, limitMs);
  }
  const expires = headers.get('expires');
  if (expires !== undefined) {
    const date = parseHttpDate(headers.get('date') ?? '');
    const expiresAt = parseHttpDate(expires);
    return Number.isNaN(expiresAt) ? 0 : clamp(expiresAt - (Number.isNaN(date) ? now : date), limitMs);
  }
  return CACHEABLE.has(head.status) ? limitMs : 0;
}

function parseCacheControl(header: string): Map<string, string> {
  const directives = new Map<string, string>();
  for (const directive of header.split(',')) {
    const [name = '', value = ''] = directive.split('=');
    directives.set(name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, ''));
  }
  return directives;
}

/** NaN for anything else: `Expires: 0` means already expired (RFC 9111 §5.3). */
function parseHttpDate(value: string): number {
  return value.endsWith(' GMT') ? Date.parse(value) : NaN;
}

function parseSeconds(value: string): number | null {
  return /^\d{1,10}$/.test(value) ? Number(value) : null;
}

function clamp(lifetimeMs: number, limitMs: number): number {
  return Math.max(0, Math.min(lifetimeMs, limitMs));
}
