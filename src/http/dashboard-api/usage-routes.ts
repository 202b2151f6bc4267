/** The endpoints of usage and of the monthly quota. */
import { type Account, findPlan } from '#accounts';
import { computeQuotaMonth } from '#limits';
import { loadMonthUnits } from '#usage';
import { type Static, Type } from 'typebox';
import type { FastifyRequest } from 'fastify';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatTime } from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { createQueryParser } from '../query.ts';
import { routeOverview } from './overview.ts';
import { USAGE_FILTER, chooseBucket, extendToBuckets, parseRange, parseUsageFilter } from './log-filter.ts';
import { routeUsageReports } from './usage-reports.ts';
import { formatUsageCsv, sumByKey, sumByOperation, sumByStatus, usageRow } from './usage-table.ts';

export const quotaJson = strict({
  /** The calendar month in UTC. */
  month_start: Type.String(),
  resets_at: Type.String(),
  /** Units of this month, as the rate limit counts them. */
  used: Type.Integer(),
  /** Null if the plan has no quota. */
  quota: nullable('integer'),
  remaining: nullable('integer'),
});

/** Adds the endpoint of the monthly quota. */
function routeQuota(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/usage/quota', {
    schema: { response: { 200: quotaJson } },
    handler: (request) => loadQuota(deps, requireSession(request).account),
  });
}

/** Loads how much of its quota an account has used in this month. */
export async function loadQuota(
  { usage, plans, now }: Pick<AccountDeps, 'usage' | 'plans' | 'now'>,
  account: Account,
): Promise<Static<typeof quotaJson>> {
  const nowMs = now();
  const { startMs, endMs } = computeQuotaMonth(nowMs);
  const used = await loadMonthUnits(usage, account.id, nowMs);
  const quota = findPlan(plans, account.plan).monthlyQuota ?? null;
  return {
    month_start: formatTime(startMs),
    resets_at: formatTime(endMs),
    used,
    quota,
    remaining: quota === null ? null : Math.max(0, quota - used),
  };
}

/**
 * Adds the endpoints of usage: an overview of today, counts over time and as CSV, errors, response times,
 * months and the monthly quota.
 */
export function routeUsage(scope: AccountScope, deps: AccountDeps): void {
  routeOverview(scope, deps);
  routeUsageCounts(scope, deps);
  routeUsageCsv(scope, deps);
  routeUsageReports(scope, deps);
  routeQuota(scope, deps);
}

const usage = strict({
  bucket: Type.Enum(['minute', 'hour', 'day']),
  from: Type.String(),
  to: Type.String(),
  rows: Type.Array(usageRow),
  totals: strict({ requests: Type.Integer(), errors: Type.Integer() }),
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
    ...USAGE_FILTER,
    bucket: Type.Optional(Type.Union([Type.Literal('minute'), Type.Literal('hour'), Type.Literal('day')])),
    by: Type.Optional(Type.Union([Type.Literal('operation'), Type.Literal('key'), Type.Literal('status')])),
  }),
  { skipsEmpty: true },
);

/** Loads the counts that the query of a request selects. Throws `invalid_parameter`. */
async function loadUsage({ usage: store, now }: AccountDeps, request: FastifyRequest) {
  const { account } = requireSession(request);
  const query = parseQuery(request.raw.url ?? '');
  const { by = 'operation' } = query;
  const given = parseRange(query, now());
  const bucket = query.bucket ?? chooseBucket(given);
  const range = extendToBuckets(given, bucket, by === 'key');
  const counts = { accountId: account.id, bucketSize: bucket, ...range, ...parseUsageFilter(query) };
  if (by === 'key') return { account, by, bucket, ...range, rows: sumByKey(await store.listUsage(counts)) };
  const sums = await store.sumUsage(counts);
  return { account, by, bucket, ...range, rows: by === 'status' ? sumByStatus(sums) : sumByOperation(sums) };
}
