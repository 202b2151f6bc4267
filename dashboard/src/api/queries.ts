/** Everything the pages load, as TanStack Query options: key, route and how fresh it must be. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

const SECOND_MS = 1000;

/** The signed-in account and the service's sign-up rules. Loaded again whenever the tab gets the focus. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => request('GET /account/session', { signal }),
  staleTime: 30 * SECOND_MS,
  refetchOnWindowFocus: 'always',
});

/** Queries how many keys a reset link revokes when it sets a password. */
export function resetPreviewQuery(token: string | undefined) {
  return queryOptions({
    queryKey: ['reset', token],
    queryFn: ({ signal }) =>
      request('POST /account/password/reset/preview', { body: { token: token ?? '' }, signal }),
    enabled: token !== undefined,
    staleTime: Infinity,
  });
}

/** The sentence that explains why the identity provider's sign-in was refused. */
export function oidcRefusalQuery(code: string | undefined) {
  return queryOptions({
    queryKey: ['session', 'refusal', code],
    queryFn: ({ signal }) => request('GET /account/oidc/refusals/:code', { id: code ?? '', signal }),
    enabled: code !== undefined,
    staleTime: Infinity,
    retry: false,
  });
}

/** Today's figures, kept fresh while the page is open. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => request('GET /account/overview', { signal }),
  refetchInterval: 10 * SECOND_MS,
});

/** All keys of the account, including revoked ones. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await request('GET /account/keys', { signal })).keys,
});

/** The account's plan, all plans, and how many keys are in use. */
export const planQuery = queryOptions({
  queryKey: ['plan'],
  queryFn: ({ signal }) => request('GET /account/plan', { signal }),
});

/** The sessions of the account. */
export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: async ({ signal }) => (await request('GET /account/sessions', { signal })).sessions,
});

/** The audit trail, newest first, page by page. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam, signal }) => request('GET /account/audit', { query: { before: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.next,
});

/** Queries the accounts whose email address contains `search`, newest first (administrators only). */
export function adminAccountsQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['admin', 'accounts', search],
    queryFn: ({ pageParam, signal }) =>
      request('GET /account/admin/accounts', { query: { query: search, before: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
}

/** The plans with the number of accounts on each (administrators only). */
export const adminPlansQuery = queryOptions({
  queryKey: ['admin', 'plans'],
  queryFn: async ({ signal }) => (await request('GET /account/admin/plans', { signal })).plans,
});

/** The lists of disposable domains (administrators only). */
export const adminListsQuery = queryOptions({
  queryKey: ['admin', 'lists'],
  queryFn: async ({ signal }) => (await request('GET /account/admin/lists', { signal })).lists,
  refetchInterval: 15 * SECOND_MS,
});
