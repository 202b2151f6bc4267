/** The overview of today: usage of an account for the first page of the dashboard. */
import { type Static, Type } from 'typebox';
import { type Account, type ApiKey, findPlan, isLiveKey } from '#accounts';
import { WINDOW_MS, type WindowCounter, describeWindow } from '#limits';
import {
  BUCKET_MS,
  type BucketSize,
  type ErrorSum,
  type KeySum,
  type LatencyCount,
  type UsageStore,
  type UsageSum,
  computePercentile,
  floorToBucket,
  isFailed,
} from '#usage';
import { nullable, strict } from '../schema.ts';
import { formatTime, keyJson, toKeyJson } from './account-json.ts';
import type { AccountDeps } from './account-deps.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { findErrorStatus } from './log-histogram.ts';

const sums = { requests: Type.Integer(), errors: Type.Integer() };
const percentiles = { p50_ms: nullable('integer'), p95_ms: nullable('integer') };
const classes = { client_errors: Type.Integer(), server_errors: Type.Integer() };

const overviewSchema = strict({
  /** Since midnight, UTC. */
  today: strict({ ...sums, ...classes, ...percentiles }),
  /** The day before until the same time of day. */
  day_before: strict({ ...sums, ...classes }),
  minute: strict({
    limit: Type.Integer(),
    used_max_key: Type.Integer(),
    /** The key that has used most of its limit; null if none was used. */
    key: Type.Union([strict({ id: Type.String(), name: Type.String() }), Type.Null()]),
    resets_at: Type.String(),
    resets_in_seconds: Type.Integer(),
  }),
  /** 24 hours with the current one. */
  by_hour: Type.Array(
    strict({
      start: Type.String(),
      ...sums,
      operations: Type.Array(strict({ operation: Type.String(), requests: Type.Integer() })),
    }),
  ),
  /** Each operation that was called today or in these hours. */
  operations: Type.Array(
    strict({
      operation: Type.String(),
      ...sums,
      ...percentiles,
      /** Requests of each of the 24 hours. */
      by_hour: Type.Array(Type.Integer()),
    }),
  ),
  /** The most frequent errors of today. */
  errors: Type.Array(
    strict({
      error: Type.String(),
      status: Type.Integer(),
      operation: Type.String(),
      requests: Type.Integer(),
    }),
  ),
  /** The number of keys that can be used, and the keys with the most requests today. */
  keys: strict({
    active: Type.Integer(),
    top: Type.Array(strict({ ...keyJson.properties, requests: Type.Integer() })),
  }),
  first_key: Type.Union([keyJson, Type.Null()]),
});
type Overview = Static<typeof overviewSchema>;

/** Adds the endpoint of today's overview. */
export function routeOverview(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/overview', {
    schema: { response: { 200: overviewSchema } },
    handler: (request) => loadOverview(deps, requireSession(request).account),
  });
}

const HOURS = 24;
const SHOWN_ERRORS = 8;
const SHOWN_KEYS = 5;

async function loadOverview(
  { usage, keys, keyWindows, plans, now }: AccountDeps,
  account: Account,
): Promise<Overview> {
  const nowMs = now();
  const midnightMs = floorToBucket(nowMs, 'day');
  const firstHourMs = floorToBucket(nowMs, 'hour') - (HOURS - 1) * BUCKET_MS.hour;
  const since = <Size extends BucketSize>(bucketSize: Size, fromMs: number) => ({
    accountId: account.id,
    bucketSize,
    fromMs,
    toMs: nowMs + 1,
  });
  const own = await keys.listKeys(account.id);
  const today = await usage.sumUsage(since('day', midnightMs));
  const hours = await usage.sumUsage(since('hour', firstHourMs));
  const latencies = await usage.listLatencies(since('day', midnightMs));
  const errors = await usage.sumErrors(since('day', midnightMs));
  const byKey = await usage.sumByKey(since('day', midnightMs));
  const live = own.filter((key) => isLiveKey(key, nowMs));
  const first = live.toSorted((one, other) => one.createdAtMs - other.createdAtMs)[0];
  const { limitPerMinute } = findPlan(plans, account.plan);
  return {
    today: { ...sumRequests(today), ...sumClasses(today), ...toPercentiles(latencies) },
    day_before: await loadDayBefore(usage, account.id, nowMs),
    minute: await loadMinute(keyWindows, live, limitPerMinute, nowMs),
    by_hour: listHours(hours, firstHourMs),
    operations: listOperations(today, hours, latencies, firstHourMs),
    errors: listErrors(errors),
    keys: { active: live.length, top: listTopKeys(own, byKey, nowMs) },
    first_key: first ? toKeyJson(first, nowMs) : null,
  };
}

/** Sums yesterday until the same time of day: whole hours, and minutes of the hour that is not over. */
async function loadDayBefore(
  usage: UsageStore,
  accountId: string,
  nowMs: number,
): Promise<Overview['day_before']> {
  const toMs = nowMs - BUCKET_MS.day;
  const fromMs = floorToBucket(toMs, 'day');
  const hourMs = floorToBucket(toMs, 'hour');
  const hours = await usage.sumUsage({ accountId, bucketSize: 'hour', fromMs, toMs: hourMs });
  const minutes = await usage.sumUsage({ accountId, bucketSize: 'minute', fromMs: hourMs, toMs: toMs + 1 });
  return { ...sumRequests([...hours, ...minutes]), ...sumClasses([...hours, ...minutes]) };
}

function listHours(hours: readonly UsageSum[], firstHourMs: number): Overview['by_hour'] {
  const byStart = Map.groupBy(hours, ({ bucketStartMs }) => bucketStartMs);
  return Array.from({ length: HOURS }, (_, index) => {
    const startMs = firstHourMs + index * BUCKET_MS.hour;
    const counts = byStart.get(startMs) ?? [];
    const operations = Map.groupBy(counts, ({ operation }) => operation);
    return {
      start: formatTime(startMs),
      ...sumRequests(counts),
      operations: [...operations].map(([operation, sums]) => ({
        operation,
        requests: sumRequests(sums).requests,
      })),
    };
  });
}

function listOperations(
  today: readonly UsageSum[],
  hours: readonly UsageSum[],
  latencies: readonly LatencyCount[],
  firstHourMs: number,
): Overview['operations'] {
  const names = [...new Set([...today, ...hours].map(({ operation }) => operation))].toSorted();
  return names.map((name) => {
    const isOwn = ({ operation }: { operation: string }): boolean => operation === name;
    return {
      operation: name,
      ...sumRequests(today.filter(isOwn)),
      ...toPercentiles(latencies.filter(isOwn)),
      by_hour: listHours(hours.filter(isOwn), firstHourMs).map(({ requests }) => requests),
    };
  });
}

function listErrors(errors: readonly ErrorSum[]): Overview['errors'] {
  return errors
    .toSorted((one, other) => other.requests - one.requests)
    .slice(0, SHOWN_ERRORS)
    .map(({ error, operation, requests }) => ({
      error,
      status: findErrorStatus(error),
      operation,
      requests,
    }));
}

/** Returns the keys with the most requests today, then those that can be used without one. */
function listTopKeys(
  own: readonly ApiKey[],
  byKey: readonly KeySum[],
  nowMs: number,
): Overview['keys']['top'] {
  const requests = new Map(byKey.map((sum) => [sum.keyId, sum.requests]));
  return own
    .filter((key) => requests.has(key.id) || isLiveKey(key, nowMs))
    .map((key) => ({ ...toKeyJson(key, nowMs), requests: requests.get(key.id) ?? 0 }))
    .toSorted((one, other) => other.requests - one.requests)
    .slice(0, SHOWN_KEYS);
}

function sumRequests(counts: readonly UsageSum[]): { requests: number; errors: number } {
  let requests = 0;
  let errors = 0;
  for (const count of counts) {
    requests += count.requests;
    if (isFailed(count.statusClass)) errors += count.requests;
  }
  return { requests, errors };
}

function sumClasses(counts: readonly UsageSum[]): { client_errors: number; server_errors: number } {
  const { errors } = sumRequests(counts);
  const { errors: server } = sumRequests(counts.filter(({ statusClass }) => statusClass === '5xx'));
  return { client_errors: errors - server, server_errors: server };
}

function toPercentiles(latencies: readonly LatencyCount[]): {
  p50_ms: number | null;
  p95_ms: number | null;
} {
  return { p50_ms: computePercentile(latencies, 0.5), p95_ms: computePercentile(latencies, 0.95) };
}

/**
 * Returns how much of its limit the most used key has used in this minute, together with the keys it
 * replaced.
 */
async function loadMinute(
  keyWindows: WindowCounter,
  live: readonly ApiKey[],
  limit: number,
  nowMs: number,
): Promise<Overview['minute']> {
  const limitIds = [...new Set(live.map(({ limitId }) => limitId))];
  const uses = await Promise.all(
    limitIds.map(async (id) => ({
      id,
      used: limit - (await keyWindows.consume(id, limit, 0, nowMs)).remaining,
    })),
  );
  const most = uses.toSorted((one, other) => other.used - one.used)[0];
  // Keys that were rotated share a limit: the newest is the one that is used from now on.
  const key = live
    .filter(({ limitId }) => most !== undefined && most.used > 0 && limitId === most.id)
    .toSorted((one, other) => other.createdAtMs - one.createdAtMs)[0];
  const { resetAtSeconds, retryAfterSeconds } = describeWindow(Math.floor(nowMs / WINDOW_MS), nowMs);
  return {
    limit,
    used_max_key: Math.max(0, most?.used ?? 0),
    key: key ? { id: key.id, name: key.name } : null,
    resets_at: formatTime(resetAtSeconds * 1_000),
    resets_in_seconds: retryAfterSeconds,
  };
}
