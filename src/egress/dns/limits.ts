/** Every bound of the resolver. Times are milliseconds unless the name says seconds. */
export const DEFAULT_LIMITS = {
  /** Timeout of one question to one server. */
  attemptTimeoutMs: 1200,
  /** Timeout of a lookup, waiting included. */
  timeoutMs: 2500,
  /** Longest wait of a lookup before it starts, so that one that starts has enough time. */
  maxWaitMs: 1500,
  /** Time after which another server is queried in parallel. */
  hedgeAfterMs: 500,
  /** Time after which a stale answer is served (RFC 8767 §5, client response timer). */
  staleAfterMs: 1800,
  /** Time after its expiry in which an answer with records is served if servers fail. */
  staleSeconds: 86_400,
  /** The same for an answer without records. */
  staleNegativeSeconds: 3600,
  /** Longer TTLs are reduced to these (RFC 8767 §4, RFC 2308 §5). */
  maxTtlSeconds: 86_400,
  maxNegativeTtlSeconds: 3600,
  /** The TTL of negative answers without a SOA. */
  defaultNegativeTtlSeconds: 60,
  /**
   * Lookups at once; more than the shares of accounts allow: 256 for mail, 256 pages and 256 resources, each
   * for two families, and as many again for CNAMEs and early renewals. A waiting lookup costs a timer, not a
   * socket.
   */
  maxConcurrent: 4096,
  /** Lookups that may wait; further ones fail as `overloaded`. */
  maxQueued: 4096,
  maxCacheBytes: 32 * 1024 * 1024,
  socketsPerServer: 8,
  questionsPerSocket: 100,
};

export type ResolverLimits = typeof DEFAULT_LIMITS;
