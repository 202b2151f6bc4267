import { LRUCache } from 'lru-cache';
import type { FreshAnswer } from './extract-answer.ts';
import type { ResolverLimits } from './limits.ts';
import type { LookupResult } from './lookup.ts';
import type { DnsAnswer, DnsFailure, DnsType } from './resolver.ts';

/** The cached state of one name and type. */
interface Entry {
  answer: FreshAnswer | null;
  storedAtMs: number;
  expiresAtMs: number;
  hits: number;
  failure: DnsFailure;
  /** Failures in a row. */
  failures: number;
  failedAtMs: number;
  /** No server is queried before: the failure or the expired answer is served. */
  retryAtMs: number;
  /** The last answer returned, and until when its TTL is right. */
  ready: DnsAnswer<DnsType> | null;
  readyUntilMs: number;
}

/** Failures are cached for at least a second and at most five minutes (RFC 9520 §3.2). */
const BACK_OFF_MS = [1000, 5000, 30_000];
const BACK_OFF_RESET_MS = 300_000;
/** An expired answer is served for this long without a query (RFC 8767 §5, failure recheck timer). */
const STALE_TTL_SECONDS = 30;
/** The part of the TTL, at its end, in which a frequent name is renewed. */
const REFRESH_AHEAD = 0.1;
const REFRESH_AFTER_HITS = 2;
/** Larger answers are not cached, so that one hostile domain cannot evict the others. */
const MAX_ENTRY_BYTES = 32_768;

/**
 * Caches answers for their TTL, failures for a back-off, and expired answers for outages. Bounded by bytes.
 */
export class AnswerCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #now: () => number;
  readonly #limits: ResolverLimits;

  constructor(limits: ResolverLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#entries = new LRUCache({
      maxSize: limits.maxCacheBytes,
      maxEntrySize: MAX_ENTRY_BYTES,
      sizeCalculation: ({ answer }, key) => estimateBytes(key, answer),
    });
  }

  /** Returns the cached answer; null if a server must be queried. */
  find(key: string): DnsAnswer<DnsType> | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    const nowMs = this.#now();
    if (nowMs < entry.expiresAtMs) {
      entry.hits += 1;
      return entry.ready !== null && nowMs < entry.readyUntilMs ? entry.ready : prepareAnswer(entry, nowMs);
    }
    if (nowMs >= entry.retryAtMs) return null;
    return this.#toStale(entry) ?? { outcome: 'failure', reason: entry.failure };
  }

  /** Reports whether a fresh answer should be renewed now. */
  isDue(key: string): boolean {
    const entry = this.#entries.peek(key);
    if (entry === undefined || entry.hits < REFRESH_AFTER_HITS) return false;
    const leftMs = entry.expiresAtMs - this.#now();
    if (leftMs <= 0 || leftMs >= (entry.expiresAtMs - entry.storedAtMs) * REFRESH_AHEAD) return false;
    return this.#now() >= entry.retryAtMs;
  }

  /** Returns the expired answer that may be served, from now on without a query; null if there is none. */
  serveStale(key: string): DnsAnswer<DnsType> | null {
    const entry = this.#entries.get(key);
    const stale = entry ? this.#toStale(entry) : null;
    if (entry && stale) entry.retryAtMs = this.#now() + STALE_TTL_SECONDS * 1000;
    return stale;
  }

  hasStale(key: string): boolean {
    const entry = this.#entries.peek(key);
    return entry !== undefined && this.#toStale(entry) !== null;
  }

  /** Stores a result. Returns the answer for the callers, which is a stale one if the lookup failed. */
  store(key: string, result: LookupResult): DnsAnswer<DnsType> {
    if (result.outcome === 'failure') {
      const stale = this.serveStale(key);
      if (result.reason !== 'overloaded') this.#storeFailure(key, result.reason);
      return stale ?? result;
    }
    const nowMs = this.#now();
    const entry = createEntry(result, nowMs);
    this.#entries.set(key, entry);
    return prepareAnswer(entry, nowMs);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Keeps an answer that is fresh or may be served stale. */
  #storeFailure(key: string, reason: DnsFailure): void {
    const nowMs = this.#now();
    const entry = this.#entries.get(key) ?? createEntry(null, nowMs);
    if (nowMs - entry.failedAtMs >= BACK_OFF_RESET_MS) entry.failures = 0;
    const backOffMs = BACK_OFF_MS[Math.min(entry.failures, BACK_OFF_MS.length - 1)] ?? 0;
    entry.failure = reason;
    entry.failures += 1;
    entry.failedAtMs = nowMs;
    entry.retryAtMs = Math.max(entry.retryAtMs, nowMs + backOffMs);
    this.#entries.set(key, entry);
  }

  #toStale({ answer, expiresAtMs }: Entry): DnsAnswer<DnsType> | null {
    if (!answer) return null;
    const { staleSeconds, staleNegativeSeconds } = this.#limits;
    const seconds = answer.outcome === 'records' ? staleSeconds : staleNegativeSeconds;
    if (this.#now() >= expiresAtMs + seconds * 1000) return null;
    return { ...answer, ttlSeconds: STALE_TTL_SECONDS, stale: true };
  }
}

function createEntry(answer: FreshAnswer | null, nowMs: number): Entry {
  return {
    answer,
    storedAtMs: nowMs,
    expiresAtMs: nowMs + (answer?.ttlSeconds ?? 0) * 1000,
    hits: 0,
    failure: 'servfail',
    failures: 0,
    failedAtMs: 0,
    retryAtMs: 0,
    ready: null,
    readyUntilMs: 0,
  };
}

/** Returns one shared object to all callers within the same second of the TTL. */
function prepareAnswer(entry: Entry, nowMs: number): DnsAnswer<DnsType> {
  const ttlSeconds = Math.ceil((entry.expiresAtMs - nowMs) / 1000);
  const answer = entry.answer as FreshAnswer;
  entry.readyUntilMs = entry.expiresAtMs - (ttlSeconds - 1) * 1000;
  entry.ready = { ...answer, ttlSeconds, stale: false };
  return entry.ready;
}

/** Returns roughly how many bytes an entry occupies. */
function estimateBytes(key: string, answer: FreshAnswer | null): number {
  let bytes = 500 + 2 * key.length;
  if (answer?.outcome !== 'records') return bytes;
  for (const record of answer.records)
    bytes += 100 + 2 * (typeof record === 'string' ? record.length : record.exchange.length);
  return bytes;
}
