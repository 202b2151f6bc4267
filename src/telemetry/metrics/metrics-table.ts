/** The values that a label may have: a fixed list, or the status codes of HTTP. */
export type LabelValues = readonly string[] | 'HTTP status';

/** The labels of a metric. No label names an account, a key, a host, an address or a URL. */
export type Labels = Readonly<Record<string, LabelValues>>;

/** One row of the table of metrics. */
export interface MetricRow<
  Type extends 'counter' | 'gauge' | 'histogram' = MetricType,
  L extends Labels = Labels,
> {
  type: Type;
  name: string;
  help: string;
  labels: L;
  /** The upper bounds of a histogram, in the unit of its name. */
  buckets?: readonly number[];
}

type MetricType = 'counter' | 'gauge' | 'histogram';

const PREFIX = 'utility_api_';

/** Describes a number that only grows. */
function counter<const L extends Labels>(name: string, help: string, labels: L): MetricRow<'counter', L> {
  return { type: 'counter', name: `${PREFIX}${name}_total`, help, labels };
}

/** Describes a number that is read at each scrape. */
function gauge<const L extends Labels>(name: string, help: string, labels: L): MetricRow<'gauge', L> {
  return { type: 'gauge', name: PREFIX + name, help, labels };
}

/** Describes a distribution of durations in seconds. */
function histogram<const L extends Labels>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: L,
): MetricRow<'histogram', L> {
  return { type: 'histogram', name: `${PREFIX}${name}_seconds`, help, labels, buckets };
}

// What clients notice: requests, rate limits, shares and renders.

/**
 * The operationId of the route. `health`: /healthz and /readyz; `dashboard`: the dashboard, its API and the
 * reference; `mcp`: messages to /mcp, whose calls are counted as requests of their operation too; `none`: all
 * other paths and methods, and bytes that are not HTTP.
 */
export const REQUEST_OPERATIONS = [
  'validateEmail',
  'validateEmailBatch',
  'getMetadata',
  'getMetadataBatch',
  'generatePdf',
  'dashboard',
  'health',
  'mcp',
  'none',
] as const;

export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '429', '5xx'] as const;
export const SHARE_KINDS = [
  'bodyBytes',
  'emailRequests',
  'metadataRequests',
  'pdfRequests',
  'pageConnections',
  'browserPages',
  'dnsLookups',
  'parserThreads',
] as const;
const REFUSAL_REASONS = ['share', 'capacity'] as const;
/** `key`: requests with a valid key; `address`: those without one, and messages to /mcp that call nothing. */
export const LIMITERS = ['key', 'address'] as const;
export const DECISIONS = ['admitted', 'refused'] as const;
/** `undecided`: the render failed before a lane was chosen; `page`: a page of a metadata request. */
export const RENDER_LANES = ['static', 'warm', 'page', 'undecided'] as const;
/** An identifier of an error, `ok`, or `aborted`: the client disconnected, or its place was reclaimed. */
export const RENDER_OUTCOMES = [
  'ok',
  'aborted',
  'timeout',
  'render_failed',
  'invalid_parameter',
  'unavailable',
  'overloaded',
  'rate_limit_exceeded',
  'error',
] as const;
/** `ended`: crashed or was killed; `start_failed`: none could be started. */
const BROWSER_EVENTS = ['started', 'ended', 'unresponsive', 'old', 'start_failed'] as const;

/** From cached email validations to renders at their deadline. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAIT_SECONDS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const REQUEST_METRICS = {
  requests: counter('requests', 'Requests whose response ended, by operation and status.', {
    operation: REQUEST_OPERATIONS,
    status: 'HTTP status',
  }),
  requestDuration: histogram(
    'request_duration',
    'Time from the head of a request to the end of its response.',
    REQUEST_SECONDS,
    { operation: REQUEST_OPERATIONS, status_class: STATUS_CLASSES },
  ),
  requestsInFlight: gauge('requests_in_flight', 'Requests whose response has not ended.', {}),
  rateLimitUnits: counter('rate_limit_units', 'Units of rate limits that were admitted or refused.', {
    limiter: LIMITERS,
    decision: DECISIONS,
  }),
  quotaRefusals: counter('quota_refusals', 'Requests that a monthly quota refused.', {}),
  sharesInUse: gauge('shares_in_use', 'Places of each kind that accounts hold; bodyBytes in bytes.', {
    kind: SHARE_KINDS,
  }),
  sharesCapacity: gauge('shares_capacity', 'Places of each kind in this process; bodyBytes in bytes.', {
    kind: SHARE_KINDS,
  }),
  sharesWaiting: gauge('shares_waiting', 'Requests that wait for a place of each kind.', {
    kind: SHARE_KINDS,
  }),
  shareRefusals: counter(
    'share_refusals',
    'Refused or reclaimed places: the account exceeds its share, or all accounts use the whole capacity.',
    { kind: SHARE_KINDS, reason: REFUSAL_REASONS },
  ),
  renders: counter('renders', 'Documents and pages rendered, by lane and outcome.', {
    lane: RENDER_LANES,
    outcome: RENDER_OUTCOMES,
  }),
  renderDuration: histogram(
    'render_duration',
    'Time of renders; of documents without the wait for a slot.',
    REQUEST_SECONDS,
    { lane: RENDER_LANES },
  ),
  slotWait: histogram('slot_wait', 'Time that renders waited for a slot.', WAIT_SECONDS, {}),
  slotSeconds: counter('slot_seconds', 'Time for which renders held slots, in seconds.', {}),
  slots: gauge('slots', 'Documents and pages that this process renders at a time.', {}),
  rendersQueued: gauge('renders_queued', 'Renders that wait for a slot.', {}),
  rendersBusy: gauge('renders_busy', 'Renders that hold a slot.', {}),
  browserEvents: counter(
    'browser_events',
    'Starts of the browser, and the reasons for which it was replaced.',
    {
      event: BROWSER_EVENTS,
    },
  ),
  browserUp: gauge(
    'browser_up',
    '1 if a browser runs, 0 if not; absent if this process renders nothing.',
    {},
  ),
} as const;

// What the service depends on: network, caches, Redis, the database, and its own process.

/** An answer of a server, a failure, or `aborted`: its requests had ended. */
const DNS_OUTCOMES = [
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
const REDIS_OUTCOMES = ['ok', 'failed', 'skipped'] as const;
const QUERY_OUTCOMES = ['ok', 'failed'] as const;

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
  aloneDecisions: counter(
    'rate_limit_alone_decisions',
    'Decisions of this replica alone, without a reply of Redis: only without them is the limit exact.',
    {},
  ),
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
