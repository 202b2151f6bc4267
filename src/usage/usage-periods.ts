import {
  BUCKET_MS,
  type UsageRetention,
  type UsageStore,
  type UsageSum,
  floorToBucket,
  floorToMonth,
} from './usage-store.ts';
import { isFailed } from './logged-request.ts';

const DAY_MS = 86_400_000;
/** The limit of the whole log: about 600 MB of database. */
const MAX_LOGGED_REQUESTS = 2_000_000;

/** The days for which usage is kept. Months are kept for two years and a month. */
export const USAGE_RETENTION_DAYS = { minutes: 7, requests: 7, counts: 90, months: 761 } as const;

/** Returns what expires at a time. */
export function computeRetention(nowMs: number): UsageRetention {
  const { minutes, requests, counts, months } = USAGE_RETENTION_DAYS;
  return {
    minutesBeforeMs: nowMs - minutes * DAY_MS,
    requestsBeforeMs: nowMs - requests * DAY_MS,
    countsBeforeMs: nowMs - counts * DAY_MS,
    monthsBeforeMs: nowMs - months * DAY_MS,
    maxRequests: MAX_LOGGED_REQUESTS,
  };
}

/**
 * Requests and, among them, those with a status of 400 or above; also by operation, most requests first.
 */
export interface UsageTotals {
  requests: number;
  errors: number;
  operations: { operation: string; requests: number; errors: number }[];
}

/** The totals of an account in periods that end now, in UTC. */
export interface UsagePeriods {
  today: UsageTotals & { fromMs: number };
  last7Days: UsageTotals & { fromMs: number };
  thisMonth: UsageTotals & { fromMs: number };
}

/** Sums counts by operation. */
export function computeTotals(
  counts: readonly Pick<UsageSum, 'operation' | 'statusClass' | 'requests'>[],
): UsageTotals {
  const total = { requests: 0, errors: 0 };
  const operations = new Map<string, UsageTotals['operations'][number]>();
  for (const { operation, statusClass, requests } of counts) {
    let own = operations.get(operation);
    if (!own) operations.set(operation, (own = { operation, requests: 0, errors: 0 }));
    for (const sum of [total, own]) {
      sum.requests += requests;
      if (isFailed(statusClass)) sum.errors += requests;
    }
  }
  return { ...total, operations: [...operations.values()].toSorted((a, b) => b.requests - a.requests) };
}

/** Loads the totals of an account today, in the last seven days and in this month. */
export async function loadUsagePeriods(
  store: Pick<UsageStore, 'sumUsage'>,
  accountId: string,
  nowMs: number,
): Promise<UsagePeriods> {
  const todayMs = floorToBucket(nowMs, 'day');
  const weekMs = todayMs - 6 * BUCKET_MS.day;
  const monthMs = floorToMonth(nowMs);
  const fromMs = Math.min(weekMs, monthMs);
  const days = await store.sumUsage({ accountId, bucketSize: 'day', fromMs, toMs: nowMs + 1 });
  const since = (startMs: number) => ({
    fromMs: startMs,
    ...computeTotals(days.filter(({ bucketStartMs }) => bucketStartMs >= startMs)),
  });
  return { today: since(todayMs), last7Days: since(weekMs), thisMonth: since(monthMs) };
}

/** Loads the units of an account in this month, as the rate limit counts them. */
export async function loadMonthUnits(
  store: Pick<UsageStore, 'listMonths'>,
  accountId: string,
  nowMs: number,
): Promise<number> {
  const totals = await store.listMonths(accountId, floorToMonth(nowMs), nowMs + 1);
  return totals.reduce((sum, { units }) => sum + units, 0);
}
