import { findPlan, isLiveKey, type Account, type ApiKey } from '#accounts';
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { WindowCounter } from '#ratelimit';
import { BUCKET_MS, computePercentile, type BucketSize, type UsageSum } from '#usage';
import { createQueryParser } from '../query.ts';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatTime, keyJson, toKeyJson } from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { parseTime, text } from './parse-input.ts';
import { formatUsageCsv, sumByKey, sumByOperation, usageRow } from './usage-table.ts';

const HOUR_MS = BUCKET_MS.hour;
const DAY_MS = BUCKET_MS.day;
/** The maximum number of buckets in a response: 90 days by hour, 36 hours by minute. */
const MAX_BUCKETS = 2_200;
/** By key a bucket has up to 20 times as many rows: 8 days by hour. */
const MAX_BUCKETS_BY_KEY = 200;

/** Adds the endpoints of usage: an overview of today, counts over time, the same counts as CSV. */
export function routeUsage(scope: AccountScope, deps: AccountDeps): void {
  routeOverview(scope, deps);
  routeUsageCounts(scope, deps);
  routeUsageCsv(scope, deps);
}

const sums = { requests: Type.Integer(), errors: Type.Integer() };

const overview = strict({
  today: strict({ ...sums, p95_ms: nullable('number') }),
  minute: strict({ limit: Type.Integer(), used_max_key: Type.Integer() }),
  by_hour: Type.Array(strict({ start: Type.String(), ...sums })),
  keys: strict({ active: Type.Integer() }),
  first_key: Type.Union([keyJson, Type.Null()]),
});

function routeOverview(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/overview', {
    schema: { response: { 200: overview } },
    handler: (request) => loadOverview(deps, requireSession(request).account),
  });
}

const usage = strict({
  bucket: Type.Enum(['minute', 'hour', 'day']),
  from: Type.String(),
  to: Type.String(),
  rows: Type.Array(usageRow),
  totals: strict(sums),
});

function routeUsageCounts(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/usage', {
    schema: { response: { 200: usage } },
    handler: async (request) => {
      const { bucket, fromMs, toMs, rows } = await loadUsage(deps, request);
      const requests = rows.reduce((sum, { count }) => sum + count, 0);
      const errors = rows.reduce((sum, row) => sum + (row.status_class === '2xx' ? 0 : row.count), 0);
      return { bucket, from: formatTime(fromMs), to: formatTime(toMs), rows, totals: { requests, errors } };
    },
  });
}

function routeUsageCsv(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/usage.csv', {
    schema: { response: { 200: { content: { 'text/csv': { schema: Type.String() } } } } },
    handler: async (request, reply) => {
      const { account, by, fromMs, rows } = await loadUsage(deps, request);
      const own = by === 'key' ? await deps.keys.listKeys(account.id) : [];
      const names = new Map(own.map(({ id, name }) => [id, name]));
      const day = formatTime(fromMs).slice(0, 10);
      return reply
        .header('content-disposition', `attachment; filename="usage-${day}.csv"`)
        .type('text/csv; charset=utf-8')
        .send(formatUsageCsv(rows, by, names));
    },
  });
}

const parseQuery = createQueryParser(
  strict({
    from: Type.Optional(text(40)),
    to: Type.Optional(text(40)),
    bucket: Type.Optional(Type.Union([Type.Literal('minute'), Type.Literal('hour'), Type.Literal('day')])),
    key_id: Type.Optional(text(100)),
    by: Type.Optional(Type.Union([Type.Literal('operation'), Type.Literal('key')])),
  }),
  { skipsEmpty: true },
);

/** Loads the counts that the query of a request selects. Throws `invalid_parameter`. */
async function loadUsage(deps: AccountDeps, request: FastifyRequest) {
  const { account } = requireSession(request);
  const { from, to, bucket = 'hour', key_id: keyId, by = 'operation' } = parseQuery(request.raw.url ?? '');
  const maxBuckets = by === 'key' ? MAX_BUCKETS_BY_KEY : MAX_BUCKETS;
  const range = parseRange({ bucket, from, to, maxBuckets }, deps.now());
  const query = { accountId: account.id, bucketSize: bucket, ...range, keyId };
  const rows =
    by === 'key'
      ? sumByKey(await deps.usage.listUsage(query))
      : sumByOperation(await deps.usage.sumUsage(query));
  return { account, by, bucket, ...range, rows };
}

/** Parses the range [from, to), by default the last 24 hours, and extends it to whole buckets. */
function parseRange(
  {
    bucket,
    from,
    to,
    maxBuckets,
  }: { bucket: BucketSize; from: string | undefined; to: string | undefined; maxBuckets: number },
  nowMs: number,
): { fromMs: number; toMs: number } {
  const toMs = to === undefined ? nowMs : parseTime(to, 'to');
  const givenMs = from === undefined ? toMs - DAY_MS : parseTime(from, 'from');
  const fromMs = floor(givenMs, BUCKET_MS[bucket]);
  if (fromMs >= toMs) throw new ApiError('invalid_parameter', 'from must be before to.', { param: 'from' });
  if ((toMs - fromMs) / BUCKET_MS[bucket] > maxBuckets)
    throw new ApiError(
      'invalid_parameter',
      `The range has more than ${maxBuckets} ${bucket}s: take a shorter one or a larger bucket.`,
      { param: 'from' },
    );
  return { fromMs, toMs };
}

async function loadOverview(
  { usage, keys, keyWindows, plans, now }: AccountDeps,
  account: Account,
): Promise<Static<typeof overview>> {
  const nowMs = now();
  const midnightMs = floor(nowMs, DAY_MS);
  const firstHourMs = floor(nowMs, HOUR_MS) - 23 * HOUR_MS;
  const since = (bucketSize: BucketSize, fromMs: number) => ({
    accountId: account.id,
    bucketSize,
    fromMs,
    toMs: nowMs + 1,
  });
  const [own, today, hours, latencies] = [
    await keys.listKeys(account.id),
    await usage.sumUsage(since('day', midnightMs)),
    await usage.sumUsage(since('hour', firstHourMs)),
    await usage.listLatencies(account.id, midnightMs, nowMs + 1),
  ];
  const live = own.filter((key) => isLiveKey(key, nowMs));
  const first = live.toSorted((one, other) => one.createdAtMs - other.createdAtMs)[0];
  const limit = findPlan(plans, account.plan).limitPerMinute;
  return {
    today: { ...sumRequests(today), p95_ms: computePercentile(latencies, 0.95) },
    minute: { limit, used_max_key: await computeMostUsed(keyWindows, live, limit, nowMs) },
    by_hour: Array.from({ length: 24 }, (_, index) => {
      const startMs = firstHourMs + index * HOUR_MS;
      const counts = hours.filter(({ bucketStartMs }) => bucketStartMs === startMs);
      return { start: formatTime(startMs), ...sumRequests(counts) };
    }),
    keys: { active: live.length },
    first_key: first ? toKeyJson(first, nowMs) : null,
  };
}

function sumRequests(counts: readonly UsageSum[]): { requests: number; errors: number } {
  let requests = 0;
  let errors = 0;
  for (const count of counts) {
    requests += count.requests;
    if (count.statusClass !== '2xx' && count.statusClass !== '3xx') errors += count.requests;
  }
  return { requests, errors };
}

/**
 * Returns how much of its limit the most used key has used in this minute, together with the keys it
 * replaced.
 */
async function computeMostUsed(
  keyWindows: WindowCounter,
  live: readonly ApiKey[],
  limit: number,
  nowMs: number,
): Promise<number> {
  const limitIds = [...new Set(live.map(({ limitId }) => limitId))];
  const windows = await Promise.all(limitIds.map(async (id) => keyWindows.consume(id, limit, 0, nowMs)));
  return Math.max(0, ...windows.map(({ remaining }) => limit - remaining));
}

function floor(ms: number, stepMs: number): number {
  return ms - (ms % stepMs);
}
