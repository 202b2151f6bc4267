/** The cache of what was read. A 401 anywhere makes it ask once who is signed in; the frame then leads to the sign-in page. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { RequestError } from './request.ts';
import { sessionQuery } from './queries.ts';

/** Makes the page's one QueryClient. */
export function createQueryClient(): QueryClient {
  const askWhoIsSignedIn = (error: unknown) => {
    if (!(error instanceof RequestError) || error.status !== 401) return;
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: askWhoIsSignedIn }),
    mutationCache: new MutationCache({ onError: askWhoIsSignedIn }),
    defaultOptions: {
      // 'always': a service on this machine or in a closed network answers although the browser thinks it is offline.
      queries: { networkMode: 'always', retry: isWorthRetrying, staleTime: 5_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}

function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof RequestError && (error.status === 0 || error.status >= 500);
}
