/** The request log as it is read: pages backwards in time, and a live tail forwards. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryString, request } from '../../api/request.ts';
import type { LoggedRequest, RequestPage } from '../../api/types.ts';

const PAGE_SIZE = 50;
const LIVE_MS = 2000;
// A tab that stays open for a day must not grow without end.
const MAX_LIVE_ROWS = 500;

/** What is shown of the log; absent members mean all. */
export interface RequestFilter {
  operation?: string | undefined;
  status_class?: string | undefined;
  key_id?: string | undefined;
}

/** The log under a filter; with `live`, newer requests appear on top every two seconds. */
export function useRequestFeed(filter: RequestFilter, live: boolean) {
  const feedKey = ['requests', filter.operation ?? '', filter.status_class ?? '', filter.key_id ?? ''];
  const pages = useInfiniteQuery({
    queryKey: feedKey,
    queryFn: ({ pageParam, signal }) =>
      request<RequestPage>(
        'GET',
        `/account/requests${queryString({ ...filter, before: pageParam, limit: PAGE_SIZE })}`,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    refetchOnWindowFocus: !live,
  });
  const older = pages.data?.pages.flatMap((page) => page.requests) ?? [];
  const tail = useTail(feedKey, filter, older[0]?.id, live && pages.data !== undefined);
  return { ...pages, rows: [...tail.rows, ...older], tailError: tail.error };
}

function useTail(feedKey: string[], filter: RequestFilter, newestId: string | undefined, live: boolean) {
  const client = useQueryClient();
  const [rows, setRows] = useState<LoggedRequest[]>([]);
  const [error, setError] = useState<unknown>(null);
  const identity = feedKey.join('|');
  const { operation, status_class, key_id } = filter;
  useEffect(() => {
    if (!live) return undefined;
    let after = newestId;
    const stop = new AbortController();
    const poll = async () => {
      const path = `/account/requests${queryString({ operation, status_class, key_id, after, limit: 200 })}`;
      const page = await request<RequestPage>('GET', path, { signal: stop.signal });
      if (stop.signal.aborted) return;
      setError(null);
      after = page.requests[0]?.id ?? after;
      if (page.requests.length > 0) {
        setRows((last) => withoutRepeats([...page.requests, ...last]).slice(0, MAX_LIVE_ROWS));
      }
    };
    let timer: ReturnType<typeof setTimeout>;
    const again = () => {
      timer = setTimeout(() => {
        poll()
          .catch((failure: unknown) => !stop.signal.aborted && setError(failure))
          .finally(() => !stop.signal.aborted && again());
      }, LIVE_MS);
    };
    again();
    return () => {
      stop.abort();
      clearTimeout(timer);
      setRows([]);
      setError(null);
      void client.invalidateQueries({ queryKey: ['requests'] });
    };
    // The newest row at the start is enough: the tail moves on by itself.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [live, identity]);
  return { rows, error };
}

function withoutRepeats(rows: LoggedRequest[]): LoggedRequest[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
