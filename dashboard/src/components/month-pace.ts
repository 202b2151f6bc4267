/** The pace at which a monthly quota is used. */

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
