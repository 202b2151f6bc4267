/** Queries about logged requests, beside the log itself (pages/requests/request-feed.ts). */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import type { RouteResponse } from './types.ts';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

export type Histogram = RouteResponse<'GET /account/requests/histogram'>;

/** Queries how many requests a filter selects, by time. `name` is the cache key. */
export function histogramQuery(
  name: string,
  queryAt: (nowMs: number) => Record<string, string | undefined>,
  live: boolean,
) {
  return queryOptions({
    queryKey: ['requests', 'histogram', name],
    queryFn: ({ signal }) =>
      request('GET /account/requests/histogram', { query: queryAt(Date.now()), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: (live ? 3 : 20) * SECOND_MS,
  });
}

/** The identifiers of the errors of the last seven days, the most frequent first. */
export const recentErrorsQuery = queryOptions({
  queryKey: ['requests', 'errors'],
  queryFn: async ({ signal }) => {
    const from = new Date(Date.now() - 7 * DAY_MS).toISOString();
    const { errors } = await request('GET /account/usage/errors', { query: { from }, signal });
    return [...new Set(errors.toSorted((one, other) => other.count - one.count).map(({ error }) => error))];
  },
  refetchInterval: 30 * SECOND_MS,
});

/** Queries one request by its ID. Not enabled without one. */
export function loggedRequestQuery(id: string | undefined) {
  return queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: async ({ signal }) =>
      (await request('GET /account/requests/:id', { id: id ?? '', signal })).request,
    enabled: id !== undefined,
    staleTime: Infinity,
    retry: false,
  });
}

/** The first request of a key, as soon as there is one; null until then. */
export function firstRequestQuery(keyId: string) {
  return queryOptions({
    queryKey: ['requests', 'first', keyId],
    queryFn: async ({ signal }) => {
      const query = { key_id: keyId, limit: 200 };
      return (await request('GET /account/requests', { query, signal })).requests.at(-1) ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? false : 2 * SECOND_MS),
  });
}
