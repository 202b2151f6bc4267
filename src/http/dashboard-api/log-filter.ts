/** The filters of the request log and of usage, as their endpoints take them in the query string. */
import { OPERATIONS } from '#accounts';
import { ApiError, ERRORS } from '#errors';
import { BUCKET_MS, type BucketSize, type RequestFilter } from '#usage';
import { Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import { strict } from '../schema.ts';
import { parseList, parseTime, text } from './parse-input.ts';

const CLASSES = { '2xx': [200, 299], '4xx': [400, 499], '5xx': [500, 599] } as const;

/** Requests to paths of no operation have the operation `none`. */
const LOGGED_OPERATIONS: readonly string[] = [...OPERATIONS, 'none'];
/** The error of a request whose client closed the connection before the response. */
const DISCONNECTED = 'disconnected';
const LOGGED_ERRORS: readonly string[] = [...Object.keys(ERRORS), DISCONNECTED];

const LIST = text(1_000);
const FILTER = {
  operation: Type.Optional(LIST),
  status_class: Type.Optional(LIST),
  status: Type.Optional(LIST),
  error: Type.Optional(LIST),
  key_id: Type.Optional(LIST),
  min_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  from: Type.Optional(text(40)),
  to: Type.Optional(text(40)),
  request_id: Type.Optional(text(100)),
};

export const parseLogQuery = createQueryParser(
  strict({
    ...FILTER,
    before: Type.Optional(text(100)),
    after: Type.Optional(text(100)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  { skipsEmpty: true },
);

export const parseLogFilterQuery = createQueryParser(strict(FILTER), { skipsEmpty: true });

/** The members of a query that make the filter. */
type LogFilterQuery = ReturnType<typeof parseLogFilterQuery>;

/** Returns the filter of a query. Throws `invalid_parameter`. */
export function toRequestFilter(query: LogFilterQuery, accountId: string): RequestFilter {
  const fromMs = query.from === undefined ? undefined : parseTime(query.from, 'from');
  const toMs = query.to === undefined ? undefined : parseTime(query.to, 'to');
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs)
    throw new ApiError('invalid_parameter', 'from must be before to.', { param: 'from' });
  return {
    accountId,
    operations: parseList(query.operation, 'operation', LOGGED_OPERATIONS),
    statuses: parseStatuses(query),
    errors: parseList(query.error, 'error', LOGGED_ERRORS),
    keyIds: parseList(query.key_id, 'key_id'),
    minMs: query.min_ms,
    fromMs,
    toMs,
    requestIdPart: query.request_id,
  };
}

function parseStatuses({ status_class, status }: LogFilterQuery): RequestFilter['statuses'] {
  const classes = parseList(status_class, 'status_class', Object.keys(CLASSES)) ?? [];
  const statuses = parseList(status, 'status') ?? [];
  if (classes.length + statuses.length === 0) return undefined;
  return [
    ...classes.map((name) => CLASSES[name as keyof typeof CLASSES]),
    ...statuses.map((value): [number, number] => {
      if (!/^[2-5]\d\d$/.test(value))
        throw new ApiError('invalid_parameter', 'status must be statuses such as 408,422.', {
          param: 'status',
        });
      return [Number(value), Number(value)];
    }),
  ];
}

/** The range and the filter of usage, as its endpoints take them in the query string. */
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

interface UsageRange {
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
