/** The periods of the usage page: four that end now, or days of one's choice. */
import type { UsageFilter } from '../../api/usage-queries.ts';
import type { Bucket } from '../../api/types.ts';

/** A period that ends now: a number of buckets. */
interface RecentRange {
  value: string;
  label: string;
  bucket: Bucket;
  buckets: number;
}

/** Whole days in UTC, both included. */
interface DayRange {
  value: 'days';
  bucket: Bucket;
  /** As 2026-11-21. */
  firstDay: string;
  lastDay: string;
}

export type UsageRange = RecentRange | DayRange;

/** The periods that end now, from an hour to the whole retention period. */
export const RECENT_RANGES: readonly RecentRange[] = [
  { value: '1h', label: '1 h', bucket: 'minute', buckets: 60 },
  { value: '24h', label: '24 h', bucket: 'hour', buckets: 24 },
  { value: '7d', label: '7 days', bucket: 'hour', buckets: 168 },
  { value: '30d', label: '30 days', bucket: 'day', buckets: 30 },
  { value: '90d', label: '90 days', bucket: 'day', buckets: 90 },
];
const DEFAULT_RANGE = '30d';

/** The days that the service keeps (USAGE_RETENTION_DAYS of src/usage). */
export const KEPT_DAYS = 90;
/** The longest period by hour: the service reports response times by hour up to this, too. */
const MOST_HOURS = 200;

const DAY_MS = 86_400_000;
const WIDTH_MS: Record<Bucket, number> = { minute: 60_000, hour: 3_600_000, day: DAY_MS };

/** Returns the period that the parameters of the page name. Days come first; 30 days if they name none. */
export function findUsageRange(search: {
  range?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}): UsageRange {
  const first = parseDay(search.from);
  const last = parseDay(search.to);
  if (first !== null && last !== null && first <= last) {
    const hours = (last + DAY_MS - first) / WIDTH_MS.hour;
    return {
      value: 'days',
      bucket: hours <= MOST_HOURS ? 'hour' : 'day',
      firstDay: formatDayValue(first),
      lastDay: formatDayValue(last),
    };
  }
  const find = (value: string | undefined) => RECENT_RANGES.find((range) => range.value === value);
  return find(search.range) ?? (find(DEFAULT_RANGE) as RecentRange);
}

/** Parses a day like 2026-11-21 as its start in UTC. Returns null if there is no such day. */
export function parseDay(text: string | undefined): number | null {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const timeMs = Date.parse(`${text}T00:00:00.000Z`);
  return Number.isNaN(timeMs) || formatDayValue(timeMs) !== text ? null : timeMs;
}

/** Formats the day of a time in UTC: 2026-11-21. */
export function formatDayValue(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Returns the times of a period. One that ends now ends with the bucket that contains `nowMs`. */
export function computeTimes(range: UsageRange, nowMs: number): { fromMs: number; toMs: number } {
  if (range.value === 'days' && 'firstDay' in range) {
    return { fromMs: parseDay(range.firstDay) ?? 0, toMs: (parseDay(range.lastDay) ?? 0) + DAY_MS };
  }
  const { bucket, buckets } = range as RecentRange;
  const toMs = (Math.floor(nowMs / WIDTH_MS[bucket]) + 1) * WIDTH_MS[bucket];
  return { fromMs: toMs - buckets * WIDTH_MS[bucket], toMs };
}

/** Converts a period to request parameters. */
export function computeUsageFilter(
  range: UsageRange,
  {
    keyId,
    operation,
    by,
  }: { keyId?: string | undefined; operation?: string | undefined; by: UsageFilter['by'] },
  nowMs: number,
): UsageFilter {
  const { fromMs, toMs } = computeTimes(range, nowMs);
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    bucket: range.bucket,
    by,
    ...(keyId !== undefined && { key_id: keyId }),
    ...(operation !== undefined && { operation }),
  };
}

/** Returns the start of every bucket between two times, in milliseconds. */
export function listBucketStarts(from: string, to: string, bucket: Bucket): number[] {
  const width = WIDTH_MS[bucket];
  const starts: number[] = [];
  for (let start = Math.floor(Date.parse(from) / width) * width; start < Date.parse(to); start += width)
    starts.push(start);
  return starts;
}
