/** The metrics of what the service depends on: network, caches, Redis, the database, and its own process. */
import { counter, gauge, histogram } from './metric-row.ts';

/** An answer of a server, a failure, or `aborted`: its requests had ended. */
export const DNS_OUTCOMES = [
  'records',
  'nodata',
  'nxdomain',
  'servfail',
  'refused',
  'timeout',
  'network',
  'lying_resolver',
  'overloaded',
  'malformed',
  'aborted',
] as const;
export const FETCH_KINDS = ['page', 'resource', 'list'] as const;
/** The class of the status, an identifier of an error, `failed` (a resource or a list), or `aborted`. */
export const FETCH_OUTCOMES = [
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  'not_modified',
  'timeout',
  'unreachable',
  'overloaded',
  'rate_limit_exceeded',
  'failed',
  'aborted',
  'error',
] as const;
export const CACHES = ['email_domains', 'metadata', 'keys', 'dns'] as const;
export const CACHE_RESULTS = ['hit', 'miss'] as const;
/** `skipped`: not sent, because Redis does not reply. */
export const REDIS_OUTCOMES = ['ok', 'failed', 'skipped'] as const;
export const QUERY_OUTCOMES = ['ok', 'failed'] as const;

const CALL_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const NETWORK_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const PART_METRICS = {
  dnsLookups: counter('dns_lookups', 'DNS lookups that were not answered from the cache.', {
    outcome: DNS_OUTCOMES,
  }),
  dnsLookupDuration: histogram('dns_lookup_duration', 'Time of these lookups.', NETWORK_SECONDS, {}),
  fetches: counter('fetches', 'Pages, resources of documents, and lists that were fetched.', {
    kind: FETCH_KINDS,
    outcome: FETCH_OUTCOMES,
  }),
  fetchDuration: histogram(
    'fetch_duration',
    'Time of these fetches, with their redirects.',
    NETWORK_SECONDS,
    {
      kind: FETCH_KINDS,
    },
  ),
  cacheLookups: counter('cache_lookups', 'Lookups in caches.', { cache: CACHES, result: CACHE_RESULTS }),
  leases: counter('rate_limit_leases', 'Leases of units that this replica took in Redis.', {}),
  leasedUnits: counter('rate_limit_leased_units', 'Units of these leases.', {}),
  redisCalls: counter('redis_calls', 'Calls of Redis.', { outcome: REDIS_OUTCOMES }),
  redisCallDuration: histogram('redis_call_duration', 'Time of the calls that were sent.', CALL_SECONDS, {}),
  redisUp: gauge('redis_up', '1 if Redis replies, 0 if calls are skipped; absent without REDIS_URL.', {}),
  replicas: gauge('replicas', 'Replicas that were alive lately; absent without REDIS_URL.', {}),
  databaseUp: gauge('database_up', '1 if a query succeeds at the scrape, 0 if not.', {}),
  databaseQueries: counter('database_queries', 'Statements of the database.', { outcome: QUERY_OUTCOMES }),
  databaseQueryDuration: histogram('database_query_duration', 'Time of these statements.', CALL_SECONDS, {}),
  usageLag: gauge(
    'usage_lag_seconds',
    'Age of the oldest usage that is not written; 0 if all is written.',
    {},
  ),
  usageBufferedRows: gauge('usage_buffered_rows', 'Counts of usage that are not written.', {}),
  usageLostRows: counter(
    'usage_lost_rows',
    'Counts of usage lost because too many could not be written.',
    {},
  ),
  usageFlushErrors: counter('usage_flush_errors', 'Writes of usage that failed and are repeated.', {}),
  logLinesDropped: counter('log_lines_dropped', 'Log lines that standard output did not accept.', {}),
  uncaughtErrors: counter('uncaught_errors', 'Errors outside a request.', {}),
  draining: gauge('draining', '1 while the process finishes its work before it ends.', {}),
  buildInfo: gauge('build_info', 'Always 1; the label is the version of the service.', {
    version: [],
  }),
} as const;
