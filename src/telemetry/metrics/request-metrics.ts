/** The metrics of what clients notice: requests, rate limits, shares and renders. */
import { counter, gauge, histogram } from './metric-row.ts';

/**
 * The operationId of the route. `health`: /healthz and /readyz; `dashboard`: the dashboard, its API and the
 * reference; `mcp`: messages to /mcp, whose calls
 * are counted as requests of their operation too; `none`: all other paths and methods, and what is not HTTP.
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
] as const;
export const REFUSAL_REASONS = ['share', 'capacity'] as const;
/** `key`: requests with a valid key; `address`: those without one, and messages to /mcp that call nothing. */
export const LIMITERS = ['key', 'address'] as const;
export const DECISIONS = ['admitted', 'refused'] as const;
/** `undecided`: the render failed before a lane was chosen; `page`: a page of a metadata request. */
export const RENDER_LANES = ['static', 'fresh', 'page', 'undecided'] as const;
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
export const BROWSER_EVENTS = ['started', 'ended', 'unresponsive', 'old', 'start_failed'] as const;

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
  slots: gauge('slots', 'Documents and pages that this process renders at once.', {}),
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
