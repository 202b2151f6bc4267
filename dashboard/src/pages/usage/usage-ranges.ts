/** The time ranges of the usage page. */
import type { UsageFilter } from '../../api/queries.ts';
import type { Bucket } from '../../api/types.ts';

/** One range: a number of buckets up to now. */
export interface UsageRange {
  value: string;
  label: string;
  bucket: Bucket;
  buckets: number;
}

/** All ranges, from an hour to the whole retention period. */
export const USAGE_RANGES: readonly UsageRange[] = [
  { value: '1h', label: 'Hour', bucket: 'minute', buckets: 60 },
  { value: '24h', label: 'Day', bucket: 'hour', buckets: 24 },
  { value: '7d', label: 'Week', bucket: 'hour', buckets: 168 },
  { value: '30d', label: '30 days', bucket: 'day', buckets: 30 },
  { value: '90d', label: '90 days', bucket: 'day', buckets: 90 },
];

const WIDTH_MS: Record<Bucket, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Returns the range of that name, or the last day if there is none. */
export function findUsageRange(value: string | undefined): UsageRange {
  return USAGE_RANGES.find((range) => range.value === value) ?? (USAGE_RANGES[1] as UsageRange);
}

/** Converts a range to request parameters. It ends with the bucket that contains `nowMs`. */
export function computeUsageFilter(
  range: UsageRange,
  { keyId, by }: { keyId: string | undefined; by: UsageFilter['by'] },
  nowMs: number,
): UsageFilter {
  const width = WIDTH_MS[range.bucket];
  const endMs = (Math.floor(nowMs / width) + 1) * width;
  return {
    from: new Date(endMs - range.buckets * width).toISOString(),
    to: new Date(endMs).toISOString(),
    bucket: range.bucket,
    by,
    ...(keyId !== undefined && { key_id: keyId }),
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
