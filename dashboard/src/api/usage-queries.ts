/** The queries of the usage page. `name` is the cache key; `filterAt` returns the filter at a time. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { formatQuery, request } from './request.ts';
import type { Bucket } from './types.ts';

const REFRESH_MS = 15_000;

/** A range of usage: times as ISO 8601, the bucket size, one key or all, one operation or all. */
export interface UsageFilter {
  from: string;
  to: string;
  bucket: Bucket;
  key_id?: string | undefined;
  operation?: string | undefined;
  /** The grouping of the rows. */
  by: 'operation' | 'key';
}

type FilterAt = (nowMs: number) => UsageFilter;

/** Formats the address of the same usage as a CSV file. */
export function formatUsageCsvPath(filter: UsageFilter): string {
  return `/account/usage.csv${formatQuery({ ...filter })}`;
}

/** Queries the counts by bucket, operation or key, and status class. */
export function usageQuery(name: readonly string[], filterAt: FilterAt) {
  return queryOptions({
    queryKey: ['usage', 'counts', ...name],
    queryFn: ({ signal }) => request('GET /account/usage', { query: { ...filterAt(Date.now()) }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** Queries the errors by identifier and operation, beside the range before. */
export function usageErrorsQuery(name: readonly string[], filterAt: FilterAt) {
  return queryOptions({
    queryKey: ['usage', 'errors', ...name],
    queryFn: ({ signal }) => {
      const { from, to, key_id, operation } = filterAt(Date.now());
      return request('GET /account/usage/errors', { query: { from, to, key_id, operation }, signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** Queries the response times of all keys by operation. */
export function usageLatencyQuery(name: string, filterAt: FilterAt) {
  return queryOptions({
    queryKey: ['usage', 'latency', name],
    queryFn: ({ signal }) => {
      const { from, to } = filterAt(Date.now());
      return request('GET /account/usage/latency', { query: { from, to }, signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** The monthly quota of the account and how much of it is used. */
export const usageQuotaQuery = queryOptions({
  queryKey: ['usage', 'quota'],
  queryFn: ({ signal }) => request('GET /account/usage/quota', { signal }),
  refetchInterval: REFRESH_MS,
});

/** The totals of each calendar month, newest first. */
export const usageMonthsQuery = queryOptions({
  queryKey: ['usage', 'months'],
  queryFn: async ({ signal }) => (await request('GET /account/usage/months', { signal })).months,
  refetchInterval: REFRESH_MS,
});
