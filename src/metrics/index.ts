/**
 * The metrics of the service in the format of Prometheus: the table of all of them, their registry, and the
 * server that answers /metrics. Knows no other module: app-metrics.ts passes observers and reads to them.
 */
export type { LabelValues, MetricRow } from './metric-row.ts';
export { openMetricsServer, type MetricsServer } from './metrics-server.ts';
export { type Metrics, METRICS, openMetrics } from './open-metrics.ts';
export { CACHE_RESULTS, CACHES, FETCH_KINDS, FETCH_OUTCOMES } from './part-metrics.ts';
export {
  DECISIONS,
  LIMITERS,
  RENDER_LANES,
  RENDER_OUTCOMES,
  REQUEST_OPERATIONS,
  SHARE_KINDS,
  STATUS_CLASSES,
} from './request-metrics.ts';
export { setTotal, Tally } from './tally.ts';
