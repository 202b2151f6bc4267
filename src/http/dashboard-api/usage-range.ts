/** The range and the filter of usage, as its endpoints take them in the query string. */
import { ApiError } from '#errors';
import { BUCKET_MS, type BucketSize } from '#usage';
import { Type } from 'typebox';
import { LOGGED_OPERATIONS } from './log-filter.ts';
import { parseList, parseTime, text } from './parse-input.ts';

/** The maximum number of buckets in a response: 90 days by hour, 36 hours by minute. */
const MAX_BUCKETS = 2_200;
/** By key a bucket has up to 20 times as many rows: 8 days by hour. */
const MAX_BUCKETS_BY_KEY = 200;

/** The parameters of a range and of a filter. */
export const RANGE = { from: Type.Optional(text(40)), to: Type.Optional(text(40)) };
export const USAGE_FILTER = {
  ...RANGE,
  /** Values separated by commas. */
  key_id: Type.Optional(text(1_000)),
  operation: Type.Optional(text(200)),
};

export interface UsageRange {
  fromMs: number;
  toMs: number;
}

/** Parses the lists of a filter. Throws `invalid_parameter`. */
export function parseUsageFilter(query: { key_id?: string | undefined; operation?: string | undefined }): {
  keyIds: string[] | undefined;
  operations: string[] | undefined;
} {
  return {
    keyIds: parseList(query.key_id, 'key_id'),
    operations: parseList(query.operation, 'operation', LOGGED_OPERATIONS),
  };
}

/** Parses the range [from, to), by default the last 24 hours. Throws `invalid_parameter`. */
export function parseRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
): UsageRange {
  const toMs = to === undefined ? nowMs : parseTime(to, 'to');
  const fromMs = from === undefined ? toMs - BUCKET_MS.day : parseTime(from, 'from');
  if (fromMs >= toMs) throw new ApiError('invalid_parameter', 'from must be before to.', { param: 'from' });
  return { fromMs, toMs };
}

/** Returns the smallest bucket with which a range has at most 200: hours up to 8 days, days beyond. */
export function chooseBucket({ fromMs, toMs }: UsageRange): 'hour' | 'day' {
  return (toMs - fromMs) / BUCKET_MS.hour <= MAX_BUCKETS_BY_KEY ? 'hour' : 'day';
}

/** Extends a range to whole buckets. Throws `invalid_parameter` if it has too many of them. */
export function extendToBuckets(range: UsageRange, bucket: BucketSize, isByKey = false): UsageRange {
  const bucketMs = BUCKET_MS[bucket];
  const fromMs = range.fromMs - (range.fromMs % bucketMs);
  const maxBuckets = isByKey ? MAX_BUCKETS_BY_KEY : MAX_BUCKETS;
  if ((range.toMs - fromMs) / bucketMs <= maxBuckets) return { fromMs, toMs: range.toMs };
  throw new ApiError(
    'invalid_parameter',
    `The range has more than ${maxBuckets} ${bucket}s: take a shorter one or a larger bucket.`,
    { param: 'from' },
  );
}
