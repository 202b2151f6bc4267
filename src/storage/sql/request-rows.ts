/** Lines of the request log as rows. */
import type { LoggedRequest, NewLoggedRequest, PhaseTimes } from '#usage';
import type { UsageRequestRow } from './schema.ts';
import { createSortedId } from './sorted-id.ts';

export const REQUEST_COLUMNS = [
  'id',
  'account_id',
  'key_id',
  'operation',
  'status',
  'ms',
  'request_id',
  'at',
  'error',
  'param',
  'route',
  'timeout_ms',
  'units',
  'limit_per_minute',
  'limit_remaining',
  'failed_items',
  'phases',
] as const satisfies readonly (keyof UsageRequestRow)[];

/** Converts a line of the log to a row, with a new id. */
export function toRequestRow(request: NewLoggedRequest): UsageRequestRow {
  const { phases } = request;
  return {
    id: createSortedId(request.atMs),
    account_id: request.accountId,
    key_id: request.keyId,
    operation: request.operation,
    status: request.status,
    ms: request.ms,
    request_id: request.requestId,
    at: request.atMs,
    error: request.error ?? null,
    param: request.param ?? null,
    route: request.route ?? null,
    timeout_ms: request.timeoutMs ?? null,
    units: request.units ?? null,
    limit_per_minute: request.limitPerMinute ?? null,
    limit_remaining: request.limitRemaining ?? null,
    failed_items: request.failedItems ?? null,
    phases: phases === undefined ? null : JSON.stringify(phases),
  };
}

export function toRequest(row: UsageRequestRow): LoggedRequest {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    operation: row.operation,
    status: row.status,
    ms: row.ms,
    requestId: row.request_id,
    atMs: row.at,
    ...(row.error !== null && { error: row.error }),
    ...(row.param !== null && { param: row.param }),
    ...(row.route !== null && { route: row.route }),
    ...(row.timeout_ms !== null && { timeoutMs: row.timeout_ms }),
    ...(row.units !== null && { units: row.units }),
    ...(row.limit_per_minute !== null && { limitPerMinute: row.limit_per_minute }),
    ...(row.limit_remaining !== null && { limitRemaining: row.limit_remaining }),
    ...(row.failed_items !== null && { failedItems: row.failed_items }),
    ...(row.phases !== null && { phases: JSON.parse(row.phases) as PhaseTimes }),
  };
}
