/**
 * What was called: requests by key, operation, status and time, and a log of the last days. Buffered in memory, so that a request writes nothing.
 * Never keeps addresses, URLs or documents, never names SQL.
 */
export { readPercentile } from './latency-steps.ts';
export { createUsageRecorder } from './record-usage.ts';
export type { UsageEvent } from './usage-buffer.ts';
export type { UsageRecorder, UsageRecorderOptions } from './record-usage.ts';
export { BUCKET_MS } from './usage-store.ts';
export type {
  BucketSize,
  LatencyCount,
  LoggedRequest,
  NewLoggedRequest,
  RequestLogPage,
  RequestLogQuery,
  StatusClass,
  UsageBatch,
  UsageCount,
  UsageQuery,
  UsageRetention,
  UsageStore,
  UsageSum,
} from './usage-store.ts';
