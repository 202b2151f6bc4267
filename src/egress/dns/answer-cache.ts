import { LRUCache } from 'lru-cache';
import type { DnsAnswer, ResolverLimits, ServerAnswer } from './resolver.ts';

interface Entry {
  /** Has the TTL that was left when it was last returned. */
  answer: ServerAnswer;
  /** The time from which the answer is renewed if its name is in frequent use. */
  refreshAtMs: number;
  expiresAtMs: number;
  hits: number;
}

/** Failures in a row. Until `retryAtMs`, callers get the failure or the expired answer without a query. */
interface Failures {
  answer: DnsAnswer;
  count: number;
  retryAtMs: number;
}

/** Failures are cached for at least a second and at most five minutes (RFC 9520 §3.2). */
const BACK_OFF_SECONDS = [1, 5];
const MAX_BACK_OFF_SECONDS = 30;
/** An expired answer is served for this long without a query (RFC 8767 §5, failure recheck timer). */
const STALE_TTL_SECONDS = 30;
/** The part of the TTL after which the answer for a name in frequent use is renewed. */
const REFRESH_AFTER = 0.9;
const REFRESH_AFTER_HITS = 2;
/** Larger answers are not cached, so that one hostile domain cannot evict the others. */
const MAX_ENTRY_BYTES = 32_768;
const MAX_FAILURES = 10_000;

/**
 * Caches answers for their TTL, failures for a back-off, and expired answers for outages. Bounded by bytes.
 */
export class AnswerCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #failures: LRUCache<string, Failures>;
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
    this.#failures = new LRUCache({ max: MAX_FAILURES });
  }

  /** Returns the cached answer; null if a server must be queried. */
  find(key: string): DnsAnswer | null {
    const entry = this.#entries.get(key);
    const nowMs = this.#now();
    if (!entry || nowMs >= entry.expiresAtMs) {
      const failures = this.#failures.get(key);
      return failures && nowMs < failures.retryAtMs ? (this.findStale(key) ?? failures.answer) : null;
    }
    entry.hits += 1;
    const ttlSeconds = Math.ceil((entry.expiresAtMs - nowMs) / 1000);
    // Callers within the same second share one object.
    if (entry.answer.ttlSeconds !== ttlSeconds) entry.answer = { ...entry.answer, ttlSeconds };
    return entry.answer;
  }

  /** Reports whether a fresh answer should be renewed now. */
  isDue(key: string): boolean {
    const entry = this.#entries.peek(key);
    if (!entry || entry.hits < REFRESH_AFTER_HITS) return false;
    const nowMs = this.#now();
    const isLate = nowMs > entry.refreshAtMs && nowMs < entry.expiresAtMs;
    return isLate && nowMs >= (this.#failures.peek(key)?.retryAtMs ?? 0);
  }

  /** Returns the answer, expired or not, that may be served if servers fail; null if there is none. */
  findStale(key: string): DnsAnswer | null {
    const entry = this.#entries.peek(key);
    if (!entry) return null;
    const { staleSeconds, staleNegativeSeconds } = this.#limits;
    const seconds = entry.answer.outcome === 'records' ? staleSeconds : staleNegativeSeconds;
    if (this.#now() >= entry.expiresAtMs + seconds * 1000) return null;
    return { ...entry.answer, ttlSeconds: STALE_TTL_SECONDS, stale: true };
  }

  /** Stores the result of a lookup. Returns the answer for its callers: a stale one if it failed. */
  store(key: string, answer: DnsAnswer): DnsAnswer {
    const nowMs = this.#now();
    if (answer.outcome !== 'failure') {
      const ttlMs = answer.ttlSeconds * 1000;
      const [refreshAtMs, expiresAtMs] = [nowMs + ttlMs * REFRESH_AFTER, nowMs + ttlMs];
      this.#entries.set(key, { answer, refreshAtMs, expiresAtMs, hits: 0 });
      this.#failures.delete(key);
      return answer;
    }
    const stale = this.findStale(key);
    if (answer.reason !== 'overloaded') {
      const count = this.#failures.peek(key)?.count ?? 0;
      const seconds = stale ? STALE_TTL_SECONDS : (BACK_OFF_SECONDS[count] ?? MAX_BACK_OFF_SECONDS);
      this.#failures.set(key, { answer, count: count + 1, retryAtMs: nowMs + seconds * 1000 });
    }
    return stale ?? answer;
  }
}

/** Returns roughly how many bytes an entry occupies. */
function estimateBytes(key: string, answer: ServerAnswer): number {
  let bytes = 500 + 2 * key.length;
  if (answer.outcome !== 'records') return bytes;
  for (const record of answer.records)
    bytes += 100 + 2 * (typeof record === 'string' ? record.length : record.exchange.length);
  return bytes;
}
