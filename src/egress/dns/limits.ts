/** Every bound of the resolver. Times are milliseconds unless the name says seconds. */
export interface ResolverLimits {
  /** How long one server may take for one question. */
  attemptTimeoutMs: number;
  /** How long a look-up may take in all, waiting for its turn included. */
  timeoutMs: number;
  /** How long it may wait for its turn, so that one which starts has time enough. */
  maxWaitMs: number;
  /** Another server is asked beside the first when it has not answered by then. */
  hedgeAfterMs: number;
  /** A stale answer is given when there is no fresh one by then (RFC 8767 §5, client response timer). */
  staleAfterMs: number;
  /** How long after its expiry an answer can still be served on trouble: one with records, and one that denies. */
  staleSeconds: number;
  staleNegativeSeconds: number;
  /** TTLs above these are cut (RFC 8767 §4, RFC 2308 §5). */
  maxTtlSeconds: number;
  maxNegativeTtlSeconds: number;
  /** For negative answers without a SOA. */
  defaultNegativeTtlSeconds: number;
  /** Look-ups at once, and how many more may wait; what comes beyond is shed as `overloaded`. */
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
  // Never the bottleneck while the shares of accounts hold: 256 lookups for mail, 256 pages and 256 resources, each for two families, and
  // as many again for what follows a CNAME or is renewed ahead. One waits on a timer, not on a socket of its own.
  maxConcurrent: 4096,
  maxQueued: 4096,
  maxCacheBytes: 32 * 1024 * 1024,
  socketsPerServer: 8,
  questionsPerSocket: 100,
};
