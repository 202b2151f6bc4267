import { LRUCache } from 'lru-cache';
import type { ResolverLimits } from './limits.ts';
import type { FreshAnswer } from './extract-answer.ts';
import type { DnsAnswer, DnsFailure, DnsType } from './resolver.ts';

/** The cached state of one name and type. */
interface Entry {
  answer: FreshAnswer | null;
  storedAtMs: number;
  expiresAtMs: number;
  /** Until then the expired answer is served without a query (RFC 8767 §5, failure recheck timer). */
  staleUntilMs: number;
  failure: { reason: DnsFailure; times: number; atMs: number; untilMs: number } | null;
  hits: number;
  /** The last answer returned, and until when its TTL is right. */
  ready: DnsAnswer<DnsType> | null;
  readyUntilMs: number;
}

/** Failures are cached for at least a second and at most five minutes (RFC 9520 §3.2). */
const BACK_OFF_MS = [1000, 5000, 30_000];
const BACK_OFF_RESET_MS = 300_000;
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
      sizeCalculation: (entry, key) => estimateBytes(key, entry.answer),
    });
  }

  /**
   * Returns the cached answer; null if a server must be queried. Calls `onDue` if the answer should be
   * renewed soon.
   */
  find(key: string, onDue: () => void): DnsAnswer<DnsType> | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    const nowMs = this.#now();
    if (nowMs < entry.expiresAtMs) {
      entry.hits += 1;
      if (entry.hits >= REFRESH_AFTER_HITS && isDue(entry, nowMs)) onDue();
      if (entry.ready !== null && nowMs < entry.readyUntilMs) return entry.ready;
      return this.#prepare(entry, nowMs);
    }
    const isBackingOff = entry.failure !== null && nowMs < entry.failure.untilMs;
    if (nowMs >= entry.staleUntilMs && !isBackingOff) return null;
    return this.#findStale(entry) ?? toFailure(entry);
  }

  /** Returns the expired answer that may be served, for 30 s without a query; null if there is none. */
  serveStale(key: string): DnsAnswer<DnsType> | null {
    const entry = this.#entries.get(key);
    const stale = entry ? this.#findStale(entry) : null;
    if (entry && stale) entry.staleUntilMs = this.#now() + STALE_TTL_SECONDS * 1000;
    return stale;
  }

  hasStale(key: string): boolean {
    const entry = this.#entries.peek(key);
    return entry !== undefined && this.#findStale(entry) !== null;
  }

  store(key: string, answer: FreshAnswer): void {
    const nowMs = this.#now();
    this.#entries.set(key, {
      answer,
      storedAtMs: nowMs,
      expiresAtMs: nowMs + answer.ttlSeconds * 1000,
      staleUntilMs: 0,
      failure: null,
      hits: 0,
      ready: null,
      readyUntilMs: 0,
    });
  }

  /** Stores a failure. Keeps an answer that is fresh or may be served stale. */
  storeFailure(key: string, reason: DnsFailure): void {
    const nowMs = this.#now();
    const entry = this.#entries.get(key) ?? emptyEntry();
    const before = entry.failure && nowMs - entry.failure.atMs < BACK_OFF_RESET_MS ? entry.failure.times : 0;
    const backOffMs = BACK_OFF_MS[Math.min(before, BACK_OFF_MS.length - 1)] ?? 0;
    entry.failure = { reason, times: before + 1, atMs: nowMs, untilMs: nowMs + backOffMs };
    this.#entries.set(key, entry);
  }

  clear(): void {
    this.#entries.clear();
  }

  #findStale({ answer, expiresAtMs }: Entry): DnsAnswer<DnsType> | null {
    if (!answer) return null;
    const { staleSeconds, staleNegativeSeconds } = this.#limits;
    const seconds = answer.outcome === 'records' ? staleSeconds : staleNegativeSeconds;
    if (this.#now() >= expiresAtMs + seconds * 1000) return null;
    return { ...answer, ttlSeconds: STALE_TTL_SECONDS, stale: true };
  }

  /** Returns one shared object to all callers within the same second of the TTL. */
  #prepare(entry: Entry, nowMs: number): DnsAnswer<DnsType> {
    const ttlSeconds = Math.ceil((entry.expiresAtMs - nowMs) / 1000);
    const answer = entry.answer as FreshAnswer;
    entry.readyUntilMs = entry.expiresAtMs - (ttlSeconds - 1) * 1000;
    entry.ready = { ...answer, ttlSeconds, stale: false };
    return entry.ready;
  }
}

function emptyEntry(): Entry {
  return {
    answer: null,
    storedAtMs: 0,
    expiresAtMs: 0,
    staleUntilMs: 0,
    failure: null,
    hits: 0,
    ready: null,
    readyUntilMs: 0,
  };
}

function toFailure(entry: Entry): DnsAnswer<DnsType> {
  return { outcome: 'failure', reason: entry.failure?.reason ?? 'servfail' };
}

function isDue(entry: Entry, nowMs: number): boolean {
  if (entry.failure && nowMs < entry.failure.untilMs) return false;
  return entry.expiresAtMs - nowMs < (entry.expiresAtMs - entry.storedAtMs) * REFRESH_AHEAD;
}

/** Returns roughly how many bytes an entry occupies. */
function estimateBytes(key: string, answer: FreshAnswer | null): number {
  const fixed = 500 + 2 * key.length;
  if (answer?.outcome !== 'records') return fixed;
  let bytes = fixed;
  for (const record of answer.records)
    bytes += 100 + 2 * (typeof record === 'string' ? record.length : record.exchange.length);
  return bytes;
}
