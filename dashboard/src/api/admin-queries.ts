/** Queries of the admin page. Only administrators may send them. */
import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import type { RouteResponse } from './types.ts';

export type AccountDetail = RouteResponse<'GET /account/admin/accounts/:id'>;
export type SystemHealth = RouteResponse<'GET /account/admin/health'>;
export type Invitation = RouteResponse<'GET /account/admin/invites'>['invitations'][number];
export type FoundRequest = NonNullable<RouteResponse<'GET /account/admin/requests/:id'>['request']>;
export type AllUsage = RouteResponse<'GET /account/admin/usage'>;

const SECOND_MS = 1000;

/** The health of every part of the process that responds. */
export const adminHealthQuery = queryOptions({
  queryKey: ['admin', 'health'],
  queryFn: ({ signal }) => request('GET /account/admin/health', { signal }),
  refetchInterval: 10 * SECOND_MS,
});

/** Queries one account with its keys and usage. */
export function adminAccountQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'account', id],
    queryFn: ({ signal }) => request('GET /account/admin/accounts/:id', { id, signal }),
    retry: false,
  });
}

/** Queries the logged request with this id; null if there is none. */
export function adminRequestQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'request', id],
    queryFn: async ({ signal }) => (await request('GET /account/admin/requests/:id', { id, signal })).request,
    enabled: id !== '',
  });
}

/** The invitations, newest first. */
export const adminInvitesQuery = queryOptions({
  queryKey: ['admin', 'invites'],
  queryFn: async ({ signal }) => (await request('GET /account/admin/invites', { signal })).invitations,
});

/** Queries the usage of all accounts: 24 hours by hour, or 30 days by day. */
export function adminUsageQuery(bucket: 'hour' | 'day') {
  return queryOptions({
    queryKey: ['admin', 'usage', bucket],
    queryFn: ({ signal }) => request('GET /account/admin/usage', { query: { bucket }, signal }),
    refetchInterval: 30 * SECOND_MS,
  });
}
