/**
 * The cache of loaded data. A 401 from any request reloads the session; the frame then opens the sign-in
 * page.
 */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { RequestError } from './request.ts';
import { sessionQuery } from './queries.ts';

/** Creates the page's only QueryClient. */
export function createQueryClient(): QueryClient {
  const reloadSession = (error: unknown) => {
    if (!(error instanceof RequestError) || error.status !== 401) return;
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: reloadSession }),
    mutationCache: new MutationCache({ onError: reloadSession }),
    defaultOptions: {
      // A service on this machine or in a closed network responds even if the browser believes it is offline.
      queries: { networkMode: 'always', retry: isWorthRetrying, staleTime: 5_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}

function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof RequestError && (error.status === 0 || error.status >= 500);
}
