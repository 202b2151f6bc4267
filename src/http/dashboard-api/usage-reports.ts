/** Reports on usage: errors, response times, months. */
import {
  BUCKET_MS,
  computePercentile,
  floorToMonth,
  type LatencyCount,
  type MonthTotal,
  USAGE_RETENTION_DAYS,
} from '#usage';
import { type Static, Type } from 'typebox';
import { createQueryParser } from '../query.ts';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatTime } from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { findErrorStatus } from './log-histogram.ts';
import {
  chooseBucket,
  extendToBuckets,
  parseRange,
  parseUsageFilter,
  RANGE,
  USAGE_FILTER,
} from './log-filter.ts';

export function routeUsageReports(scope: AccountScope, deps: AccountDeps): void {
  routeErrors(scope, deps);
  routeLatencies(scope, deps);
  routeMonths(scope, deps);
}

const errorRow = strict({
  error: Type.String(),
  status: Type.Integer(),
  operation: Type.String(),
  count: Type.Integer(),
  /** In the range of the same length before; null if it is too old to be known. */
  previous: nullable('integer'),
});

const errorReport = strict({
  from: Type.String(),
  to: Type.String(),
  /** All requests, also those without an error. */
  requests: Type.Integer(),
  total: Type.Integer(),
  previous_total: nullable('integer'),
  /** Most frequent first. */
  errors: Type.Array(errorRow),
});

/** Adds the endpoint of errors by identifier and operation, beside the range before. */
function routeErrors(scope: AccountScope, { usage, now }: AccountDeps): void {
  const parseQuery = createQueryParser(strict(USAGE_FILTER), { skipsEmpty: true });
  scope.get('/usage/errors', {
    schema: { response: { 200: errorReport } },
    handler: async (request) => {
      const query = parseQuery(request.raw.url ?? '');
      const given = parseRange(query, now());
      const bucketSize = chooseBucket(given);
      const { fromMs, toMs } = extendToBuckets(given, bucketSize);
      const filter = {
        accountId: requireSession(request).account.id,
        bucketSize,
        ...parseUsageFilter(query),
      };
      const previousMs = fromMs - (toMs - fromMs);
      const isKnown = previousMs >= now() - USAGE_RETENTION_DAYS.counts * BUCKET_MS.day;
      const counts = await usage.sumUsage({ ...filter, fromMs, toMs });
      const current = sumErrors(await usage.sumErrors({ ...filter, fromMs, toMs }));
      const before = sumErrors(
        isKnown ? await usage.sumErrors({ ...filter, fromMs: previousMs, toMs: fromMs }) : [],
      );
      return {
        from: formatTime(fromMs),
        to: formatTime(toMs),
        requests: sum(counts.map(({ requests }) => requests)),
        total: sum(current.values()),
        previous_total: isKnown ? sum(before.values()) : null,
        errors: toErrorRows(current, before, isKnown),
      };
    },
  });
}

function sumErrors(
  rows: readonly { operation: string; error: string; requests: number }[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { operation, error, requests } of rows) {
    const name = `${error} ${operation}`;
    sums.set(name, (sums.get(name) ?? 0) + requests);
  }
  return sums;
}

function toErrorRows(
  current: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
  isKnown: boolean,
): Static<typeof errorRow>[] {
  const names = [...new Set([...current.keys(), ...before.keys()])];
  const rows = names.map((name) => {
    const [error = '', operation = ''] = name.split(' ');
    return {
      error,
      status: findErrorStatus(error),
      operation,
      count: current.get(name) ?? 0,
      previous: isKnown ? (before.get(name) ?? 0) : null,
    };
  });
  return rows.toSorted(
    (one, other) => other.count - one.count || (other.previous ?? 0) - (one.previous ?? 0),
  );
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

const percentiles = {
  requests: Type.Integer(),
  p50_ms: nullable('integer'),
  p95_ms: nullable('integer'),
  p99_ms: nullable('integer'),
};

const latencyReport = strict({
  bucket: Type.Enum(['hour', 'day']),
  from: Type.String(),
  to: Type.String(),
  operations: Type.Array(
    strict({
      operation: Type.String(),
      ...percentiles,
      /** The buckets that have requests, oldest first. */
      points: Type.Array(strict({ start: Type.String(), ...percentiles })),
    }),
  ),
});

/** Adds the endpoint of response times by operation and over time; each is too high by at most a fifth. */
function routeLatencies(scope: AccountScope, { usage, now }: AccountDeps): void {
  const parseQuery = createQueryParser(strict(RANGE), { skipsEmpty: true });
  scope.get('/usage/latency', {
    schema: { response: { 200: latencyReport } },
    handler: async (request) => {
      const given = parseRange(parseQuery(request.raw.url ?? ''), now());
      const bucketSize = chooseBucket(given);
      const { fromMs, toMs } = extendToBuckets(given, bucketSize);
      const accountId = requireSession(request).account.id;
      const latencies = await usage.listLatencies({ accountId, bucketSize, fromMs, toMs });
      const operations = Map.groupBy(latencies, ({ operation }) => operation);
      return {
        bucket: bucketSize,
        from: formatTime(fromMs),
        to: formatTime(toMs),
        operations: [...operations].map(([operation, own]) => ({
          operation,
          ...toPercentiles(own),
          points: [...Map.groupBy(own, ({ bucketStartMs }) => bucketStartMs)].map(([startMs, counts]) => ({
            start: formatTime(startMs),
            ...toPercentiles(counts),
          })),
        })),
      };
    },
  });
}

function toPercentiles(counts: readonly LatencyCount[]): {
  requests: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
} {
  return {
    requests: sum(counts.map(({ requests }) => requests)),
    p50_ms: computePercentile(counts, 0.5),
    p95_ms: computePercentile(counts, 0.95),
    p99_ms: computePercentile(counts, 0.99),
  };
}

const totals = { requests: Type.Integer(), errors: Type.Integer(), units: Type.Integer() };

const monthReport = strict({
  /** Newest first; the first is the current month, also if it has no requests. */
  months: Type.Array(
    strict({
      start: Type.String(),
      end: Type.String(),
      ...totals,
      operations: Type.Array(strict({ operation: Type.String(), ...totals })),
    }),
  ),
});

/** Adds the endpoint of the totals of each calendar month. */
function routeMonths(scope: AccountScope, { usage, now }: AccountDeps): void {
  scope.get('/usage/months', {
    schema: { response: { 200: monthReport } },
    handler: async (request) => {
      const nowMs = now();
      const months = await usage.listMonths(requireSession(request).account.id, 0, nowMs + 1);
      const byMonth = Map.groupBy(months, ({ monthStartMs }) => monthStartMs);
      const starts = [...new Set([...byMonth.keys(), floorToMonth(nowMs)])];
      return {
        months: starts
          .toSorted((one, other) => other - one)
          .map((startMs) => toMonth(startMs, byMonth.get(startMs) ?? [])),
      };
    },
  });
}

function toMonth(
  startMs: number,
  totalsOfMonth: readonly MonthTotal[],
): Static<typeof monthReport>['months'][number] {
  const start = new Date(startMs);
  return {
    start: formatTime(startMs),
    end: formatTime(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)),
    requests: sum(totalsOfMonth.map(({ requests }) => requests)),
    errors: sum(totalsOfMonth.map(({ errors }) => errors)),
    units: sum(totalsOfMonth.map(({ units }) => units)),
    operations: totalsOfMonth.map(({ operation, requests, errors, units }) => ({
      operation,
      requests,
      errors,
      units,
    })),
  };
}
