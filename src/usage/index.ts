/**
 * Usage: requests by key, operation, status and time, and a log of the last days. Buffered in
 * memory, so that a request causes no write. Never stores email addresses, URLs or documents, never refers to
 * SQL.
 */
export { computePercentile } from './logged-request.ts';
export { createUsageRecorder } from './record-usage.ts';
export type { UsageOutage, UsageRecorder, UsageState } from './record-usage.ts';
export type {
  LoggedRequest,
  NewLoggedRequest,
  Phase,
  PhaseTimes,
  RequestCountQuery,
  RequestCounts,
  RequestDetails,
  RequestFilter,
  RequestLogPage,
  RequestLogQuery,
} from './logged-request.ts';
export { USAGE_RETENTION_DAYS } from './usage-periods.ts';
export { isFailed, type StatusClass } from './logged-request.ts';
export type { UsageEvent } from './usage-buffer.ts';
export { computeTotals, loadMonthUnits, loadUsagePeriods } from './usage-periods.ts';
export type { UsagePeriods, UsageTotals } from './usage-periods.ts';
export { BUCKET_MS, floorToBucket, floorToMonth } from './usage-store.ts';
export type {
  AccountUsage,
  BucketSize,
  ErrorQuery,
  ErrorSum,
  KeySum,
  LatencyCount,
  LatencyQuery,
  MonthTotal,
  UsageBatch,
  UsageCount,
  UsageQuery,
  UsageRetention,
  UsageStore,
  UsageSum,
} from './usage-store.ts';
