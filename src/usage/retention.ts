import type { UsageRetention } from './usage-store.ts';

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
