/**
 * The log, metrics and traces. Imports no other module: `app/` passes to it what the parts report. No line,
 * metric or span holds what a client sent.
 */
// The log: lines of JSON on standard output. Lines that cannot be written (full disk, stalled reader, closed
// pipe) are dropped and counted.
export { countDroppedLines, createLogger, flushLog } from './log/create-logger.ts';
export { createRequestLog } from './log/request-log.ts';
export type { RequestLevel } from './log/request-log.ts';

// Metrics in the format of Prometheus: their table, their registry, and the server that answers /metrics.
export type { LabelValues, MetricRow } from './metrics/metrics-table.ts';
export { openMetricsServer, type MetricsServer } from './metrics/open-metrics.ts';
export { type Metrics, METRICS, openMetrics } from './metrics/open-metrics.ts';
export { CACHE_RESULTS, CACHES, FETCH_KINDS, FETCH_OUTCOMES } from './metrics/metrics-table.ts';
export {
  DECISIONS,
  LIMITERS,
  RENDER_LANES,
  RENDER_OUTCOMES,
  REQUEST_OPERATIONS,
  SHARE_KINDS,
  STATUS_CLASSES,
} from './metrics/metrics-table.ts';
export { setTotal, Tally } from './metrics/open-metrics.ts';

// Spans of requests and of the work in them. The packages of OpenTelemetry are loaded only if a collector is
// configured.
export { NO_TRACING, openTracing } from './tracing/open-tracing.ts';
export type { RequestSpan, Trace, Tracing } from './tracing/tracing.ts';

// The one observer of requests, which feeds all three.
export {
  createRequestObserver,
  type EndedRequest,
  type RequestObserver,
  type RequestTallies,
} from './request-observer.ts';
