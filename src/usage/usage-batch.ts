import type { MinuteCount } from './merge-counts.ts';
import type { UsagePortion } from './usage-buffer.ts';
import { isFailed } from './status-class.ts';
import { floorToBucket, floorToMonth, type MonthTotal, type UsageBatch } from './usage-store.ts';
import type { NewLoggedRequest } from './logged-request.ts';

/**
 * Returns the rows to store. Hours, days and months are counted with the minutes, in the same transaction: no
 * later roll-up is needed, and none can count twice.
 */
export function toBatch(portion: UsagePortion): Omit<UsageBatch, 'lastUsed'> {
  const { counts: minutes, latencies, errors, events } = portion;
  const requests = events.map((event): NewLoggedRequest => ({ ...event, ms: Math.round(event.ms) }));
  return {
    counts: [...minutes, ...rollUp(minutes, 'hour', toCountKey), ...rollUp(minutes, 'day', toCountKey)],
    latencies: [
      ...latencies,
      ...rollUp(latencies, 'day', ({ accountId, operation, ms }) => `${accountId} ${operation} ${ms}`),
    ],
    errors: [
      ...errors,
      ...rollUp(errors, 'day', ({ keyId, operation, error }) => `${keyId} ${operation} ${error}`),
    ],
    months: sumMonths(minutes),
    requests,
  };
}

function toCountKey({ keyId, operation, statusClass }: MinuteCount): string {
  return `${keyId} ${operation} ${statusClass}`;
}

/** Returns the counts in larger buckets. `toKey` returns what distinguishes the rows of a bucket. */
function rollUp<
  Size extends 'hour' | 'day',
  Row extends { bucketSize: string; bucketStartMs: number; requests: number },
>(rows: readonly Row[], bucketSize: Size, toKey: (row: Row) => string): Iterable<Row & { bucketSize: Size }> {
  const rolledUp = new Map<string, Row & { bucketSize: Size }>();
  for (const row of rows) {
    const bucketStartMs = floorToBucket(row.bucketStartMs, bucketSize);
    const key = `${toKey(row)} ${bucketStartMs}`;
    const known = rolledUp.get(key);
    if (known) known.requests += row.requests;
    else rolledUp.set(key, { ...row, bucketSize, bucketStartMs });
  }
  return rolledUp.values();
}

function sumMonths(minutes: readonly MinuteCount[]): MonthTotal[] {
  const months = new Map<string, MonthTotal>();
  for (const { accountId, operation, statusClass, bucketStartMs, requests, units } of minutes) {
    const monthStartMs = floorToMonth(bucketStartMs);
    const key = `${accountId} ${operation} ${monthStartMs}`;
    let month = months.get(key);
    if (!month)
      months.set(key, (month = { accountId, monthStartMs, operation, requests: 0, errors: 0, units: 0 }));
    month.requests += requests;
    month.units += units;
    if (isFailed(statusClass)) month.errors += requests;
  }
  return [...months.values()];
}
