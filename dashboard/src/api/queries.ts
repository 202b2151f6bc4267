/** What the pages read, each as TanStack Query options: its key, its path and how fresh it must be. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { queryString, request } from './request.ts';
import type {
  AdminAccountPage,
  AdminPlan,
  AuditPage,
  Bucket,
  DeviceSession,
  Key,
  Overview,
  Plan,
  Session,
  Usage,
} from './types.ts';

const SECOND_MS = 1000;

/** Who is signed in, and what this service allows to people who are not. Read again whenever the tab is looked at. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => request<Session>('GET', '/account/session', { signal }),
  staleTime: 30 * SECOND_MS,
  refetchOnWindowFocus: 'always',
});

/** How many keys the reset link revokes when it sets a password. */
export function resetPreviewQuery(token: string | undefined) {
  return queryOptions({
    queryKey: ['reset', token],
    queryFn: ({ signal }) =>
      request<{ keys_to_revoke: number }>('POST', '/account/password/reset/preview', {
        body: { token },
        signal,
      }),
    enabled: token !== undefined,
    staleTime: Infinity,
  });
}

/** Today's figures, kept fresh while the page is open. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => request<Overview>('GET', '/account/overview', { signal }),
  refetchInterval: 10 * SECOND_MS,
});

/** Every key of the account, the revoked ones too. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await request<{ keys: Key[] }>('GET', '/account/keys', { signal })).keys,
});

/** The account's plan, the plans there are, and how many keys are left. */
export const planQuery = queryOptions({
  queryKey: ['plan'],
  queryFn: ({ signal }) => request<Plan>('GET', '/account/plan', { signal }),
});

/** A stretch of usage: times as ISO 8601, one bucket width, one key or all, by operation or by key. */
export interface UsageFilter {
  from: string;
  to: string;
  bucket: Bucket;
  key_id?: string | undefined;
  /** What the rows are told apart by. */
  by: 'operation' | 'key';
}

/** The address of the same usage as a CSV file. */
export function usageCsvPath(filter: UsageFilter): string {
  return `/account/usage.csv${queryString({ ...filter })}`;
}

/** Counts by bucket, operation or key, and status class. `name` tells one from another without the moving clock, which would make a new entry each second. */
export function usageQuery(name: readonly string[], filter: () => UsageFilter) {
  return queryOptions({
    queryKey: ['usage', ...name],
    queryFn: ({ signal }) =>
      request<Usage>('GET', `/account/usage${queryString({ ...filter() })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15 * SECOND_MS,
  });
}

/** The devices that are signed in. */
export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: async ({ signal }) =>
    (await request<{ sessions: DeviceSession[] }>('GET', '/account/sessions', { signal })).sessions,
});

/** The audit trail, newest first, a page at a time. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam, signal }) =>
    request<AuditPage>('GET', `/account/audit${queryString({ before: pageParam })}`, { signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.next,
});

/** Accounts whose address holds `search`, newest first (admins only). */
export function adminAccountsQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['admin', 'accounts', search],
    queryFn: ({ pageParam, signal }) =>
      request<AdminAccountPage>(
        'GET',
        `/account/admin/accounts${queryString({ query: search, before: pageParam })}`,
        {
          signal,
        },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
}

/** The plans with the number of accounts on each (admins only). */
export const adminPlansQuery = queryOptions({
  queryKey: ['admin', 'plans'],
  queryFn: async ({ signal }) =>
    (await request<{ plans: AdminPlan[] }>('GET', '/account/admin/plans', { signal })).plans,
});
