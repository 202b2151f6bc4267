/** Queries of the settings: how the account is signed in to, and how long its data is kept. */
import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import type { RouteResponse } from './types.ts';

/** The ways to sign in to the account: password, second factor, identity provider. */
export type SignInMethods = RouteResponse<'GET /account/sign-in-methods'>;

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => request('GET /account/sign-in-methods', { signal }),
});

/** The days that the service keeps each kind of data. It changes with a release only. */
export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => request('GET /account/retention', { signal }),
  staleTime: Infinity,
});
