/** Counts of the requests that a filter of the log selects, by time, for the chart above the log. */
import { ERRORS, type ErrorCode } from '#errors';
import { BUCKET_MS, type RequestFilter, USAGE_RETENTION_DAYS, type UsageStore } from '#usage';
import { type Static, Type } from 'typebox';
import { DISCONNECTED_STATUS } from '../wire/disconnection.ts';
import { nullable, strict } from '../schema.ts';
import { formatTime, formatTimeOrNull } from './account-json.ts';
import { SHOWN_CLASS, type ShownClass } from './usage-table.ts';

const bucket = strict({
  start: Type.String(),
  succeeded: Type.Integer(),
  client_errors: Type.Integer(),
  server_errors: Type.Integer(),
});

export const histogram = strict({
  bucket_seconds: Type.Integer(),
  from: Type.String(),
  to: Type.String(),
  total: Type.Integer(),
  /** If a filter must search a long log: the time from which on requests are counted. */
  counted_since: nullable('string'),
  /** The buckets that have requests. */
  buckets: Type.Array(bucket),
});

/** One number of the chart. */
interface Count {
  bucketStartMs: number;
  shownClass: ShownClass;
  requests: number;
}

/** Counts requests: in tables of counts if the filter allows, otherwise in the newest lines of the log. */
export async function loadHistogram(
  usage: UsageStore,
  filter: RequestFilter,
  nowMs: number,
): Promise<Static<typeof histogram>> {
  const toMs = filter.toMs ?? nowMs + 1;
  const oldestMs = nowMs - USAGE_RETENTION_DAYS.requests * BUCKET_MS.day;
  const givenMs = Math.max(filter.fromMs ?? oldestMs, oldestMs);
  const bucketMs = chooseBucket(toMs - givenMs, filter);
  const fromMs = givenMs - (givenMs % bucketMs);
  const { counts, sinceMs } = await loadCounts(usage, { ...filter, fromMs, toMs }, bucketMs);
  return {
    bucket_seconds: bucketMs / 1_000,
    from: formatTime(fromMs),
    to: formatTime(toMs),
    total: counts.reduce((sum, { requests }) => sum + requests, 0),
    counted_since: formatTimeOrNull(sinceMs),
    buckets: toBuckets(counts, bucketMs),
  };
}

/** Returns the length of a bucket: at most 200 of them. Errors are counted by hour. */
function chooseBucket(rangeMs: number, filter: RequestFilter): number {
  if (rangeMs > 6 * BUCKET_MS.hour || hasErrorCounts(filter)) return BUCKET_MS.hour;
  return rangeMs > 1.5 * BUCKET_MS.hour ? 5 * BUCKET_MS.minute : BUCKET_MS.minute;
}

/** True if the filter has nothing that only lines of the log have. */
function isCounted({ statuses, minMs, requestIdPart }: RequestFilter): boolean {
  const hasOnlyClasses = statuses?.every(([from, to]) => to - from === 99) ?? true;
  return hasOnlyClasses && minMs === undefined && requestIdPart === undefined;
}

function hasErrorCounts(filter: RequestFilter): boolean {
  return filter.errors !== undefined && filter.statuses === undefined && isCounted(filter);
}

async function loadCounts(
  usage: UsageStore,
  filter: RequestFilter & { fromMs: number; toMs: number },
  bucketMs: number,
): Promise<{ counts: Count[]; sinceMs: number | null }> {
  const { statuses, errors } = filter;
  if (hasErrorCounts(filter)) {
    const sums = await usage.sumErrors({ ...filter, bucketSize: 'hour' });
    const counts = sums.map(({ error, ...sum }) => ({ ...sum, shownClass: findClass(error) }));
    return { counts, sinceMs: null };
  }
  if (errors === undefined && isCounted(filter)) {
    const bucketSize = bucketMs === BUCKET_MS.hour ? 'hour' : 'minute';
    const sums = await usage.sumUsage({ ...filter, bucketSize });
    const counts = sums.map(({ statusClass, ...sum }) => ({ ...sum, shownClass: SHOWN_CLASS[statusClass] }));
    const selects = ({ shownClass }: Count): boolean =>
      statuses?.some(([from]) => from === Number(shownClass[0]) * 100) ?? true;
    return { counts: counts.filter(selects), sinceMs: null };
  }
  const { buckets, sinceMs } = await usage.countRequests({ ...filter, bucketMs });
  const counts = buckets.map(({ statusClass, ...sum }) => ({ ...sum, shownClass: SHOWN_CLASS[statusClass] }));
  return { counts, sinceMs };
}

/** Returns the status of an error of the log. */
export function findErrorStatus(error: string): number {
  return ERRORS[error as ErrorCode]?.status ?? DISCONNECTED_STATUS;
}

function findClass(error: string): ShownClass {
  return findErrorStatus(error) >= 500 ? '5xx' : '4xx';
}

const MEMBERS = {
  '2xx': 'succeeded',
  '4xx': 'client_errors',
  '5xx': 'server_errors',
} as const satisfies Record<ShownClass, string>;

function createBucket(startMs: number): Static<typeof bucket> {
  return { start: formatTime(startMs), succeeded: 0, client_errors: 0, server_errors: 0 };
}

function toBuckets(counts: readonly Count[], bucketMs: number): Static<typeof bucket>[] {
  const buckets = new Map<number, Static<typeof bucket>>();
  for (const { bucketStartMs, shownClass, requests } of counts) {
    const startMs = bucketStartMs - (bucketStartMs % bucketMs);
    let known = buckets.get(startMs);
    if (!known) buckets.set(startMs, (known = createBucket(startMs)));
    known[MEMBERS[shownClass]] += requests;
  }
  return [...buckets.values()].toSorted((one, other) => (one.start < other.start ? -1 : 1));
}
