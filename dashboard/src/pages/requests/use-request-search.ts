/** The filter of the request log in the page's URL. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RequestSearch } from './request-filter.ts';

/** Returns the search parameters, a function that changes some of them, and one that removes all. */
export function useRequestSearch() {
  const search: RequestSearch = useSearch({ from: '/frame/requests' });
  const navigate = useNavigate({ from: '/requests' });
  const options = { replace: true, resetScroll: false } as const;
  const change = (changes: RequestSearch) =>
    void navigate({ search: (last) => ({ ...last, ...changes }), ...options });
  const clear = () => void navigate({ search: {}, ...options });
  return { search, change, clear };
}
