import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import { strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatTime } from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { routeOverview } from './overview-routes.ts';
import { routeQuota } from './quota-routes.ts';
import { chooseBucket, extendToBuckets, parseRange, parseUsageFilter, USAGE_FILTER } from './usage-range.ts';
import { routeUsageReports } from './usage-reports.ts';
import { formatUsageCsv, sumByKey, sumByOperation, sumByStatus, usageRow } from './usage-table.ts';

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
