/** The pace at which a monthly quota is used, and what is worth a notice. */
import { formatNumber, formatPercent } from './format.ts';

const DAY_MS = 86_400_000;
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });
const dayOfMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** The units used in a month, as the service reports them. */
export interface MonthUse {
  month_start: string;
  resets_at: string;
  used: number;
}

/** Formats the month: "November". */
export function formatMonthName({ month_start: start }: MonthUse): string {
  return monthName.format(new Date(start));
}

/** Formats the day of a time in UTC: "1 December". */
export function formatUtcDay(time: string | number): string {
  return dayOfMonth.format(new Date(time));
}

/** Estimates the requests of the whole month at the pace so far; null on its first day. */
export function estimateMonth({ month_start: start, resets_at: end, used }: MonthUse, nowMs: number) {
  const startMs = Date.parse(start);
  const passedMs = Math.min(nowMs, Date.parse(end)) - startMs;
  if (passedMs < DAY_MS) return null;
  return Math.round((used * (Date.parse(end) - startMs)) / passedMs);
}

/** Estimates when a quota is used up at the pace so far; null if it lasts until the month ends. */
export function estimateLastDay(use: MonthUse, quota: number, nowMs: number): number | null {
  const total = estimateMonth(use, nowMs);
  if (total === null || total <= quota || use.used >= quota) return null;
  const startMs = Date.parse(use.month_start);
  return startMs + ((nowMs - startMs) * quota) / use.used;
}

/** The share of the quota from which it is worth a notice; the service sends an email at it too. */
const NOTICE_SHARE = 0.8;

/** A notice about the quota of the month. */
export interface QuotaNotice {
  isUsedUp: boolean;
  text: string;
}

/** Returns the notice from 80% of the quota on; null below, and without a quota. */
export function describeQuota(use: MonthUse, quota: number | null, nowMs: number): QuotaNotice | null {
  if (quota === null || use.used < quota * NOTICE_SHARE) return null;
  const requests = `${formatNumber(quota)} requests of ${formatMonthName(use)}`;
  const end = `${formatUtcDay(use.resets_at)}, 00:00 UTC`;
  if (use.used >= quota)
    return { isUsedUp: true, text: `All ${requests} are used. More are refused until ${end}.` };
  const lastDay = estimateLastDay(use, quota, nowMs);
  const last = lastDay === null ? end : formatUtcDay(lastDay);
  const share = formatPercent(use.used / quota);
  return {
    isUsedUp: false,
    text: `${share} of the ${requests} are used. They last until ${last} at this pace.`,
  };
}
