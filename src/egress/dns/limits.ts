/** Every bound of the resolver. Times are milliseconds unless the name says seconds. */
export interface ResolverLimits {
  /** Timeout of one question to one server. */
  attemptTimeoutMs: number;
  /** Timeout of a lookup, waiting included. */
  timeoutMs: number;
  /** Longest wait of a lookup before it starts, so that one that starts has enough time. */
  maxWaitMs: number;
  /** Time after which another server is queried in parallel. */
  hedgeAfterMs: number;
  /** Time after which a stale answer is served (RFC 8767 §5, client response timer). */
  staleAfterMs: number;
  /** Time after its expiry in which an answer with records is served if servers fail. */
  staleSeconds: number;
  /** The same for an answer without records. */
  staleNegativeSeconds: number;
  /** Longer TTLs are reduced to these (RFC 8767 §4, RFC 2308 §5). */
  maxTtlSeconds: number;
  maxNegativeTtlSeconds: number;
  /** The TTL of negative answers without a SOA. */
  defaultNegativeTtlSeconds: number;
  /** Lookups at once, and how many more may wait; further ones fail as `overloaded`. */
  maxConcurrent: number;
  maxQueued: number;
  maxCacheBytes: number;
  socketsPerServer: number;
  questionsPerSocket: number;
}

export const DEFAULT_LIMITS: ResolverLimits = {
  attemptTimeoutMs: 1200,
  timeoutMs: 2500,
  maxWaitMs: 1500,
  hedgeAfterMs: 500,
  staleAfterMs: 1800,
  staleSeconds: 86_400,
  staleNegativeSeconds: 3600,
  maxTtlSeconds: 86_400,
  maxNegativeTtlSeconds: 3600,
  defaultNegativeTtlSeconds: 60,
  // More than the shares of accounts allow: 256 lookups for mail, 256 pages and 256 resources, each for two
  // families, and as many again for CNAMEs and early renewals. A waiting lookup costs a timer, not a socket.
  maxConcurrent: 4096,
  maxQueued: 4096,
  maxCacheBytes: 32 * 1024 * 1024,
  socketsPerServer: 8,
  questionsPerSocket: 100,
};
