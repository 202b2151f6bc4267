/** Loads the request log: pages of older requests, and a live tail of newer ones. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { request } from '../../api/request.ts';
import type { LoggedRequest } from '../../api/types.ts';

const PAGE_SIZE = 50;
const LIVE_MS = 2000;
// Bounds the memory of a tab that stays open.
const MAX_LIVE_ROWS = 500;

/** A filter of the log; an absent member means all. */
interface RequestFilter {
  operation?: string | undefined;
  status_class?: string | undefined;
  key_id?: string | undefined;
}

/** Returns the filtered log, newest first. With `live`, newer requests are added every two seconds. */
export function useRequestFeed(filter: RequestFilter, live: boolean) {
  const feedKey = ['requests', filter.operation ?? '', filter.status_class ?? '', filter.key_id ?? ''];
  const pages = useInfiniteQuery({
    queryKey: feedKey,
    queryFn: ({ pageParam, signal }) =>
      request('GET /account/requests', {
        query: { ...filter, before: pageParam, limit: PAGE_SIZE },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    refetchOnWindowFocus: !live,
  });
  const older = pages.data?.pages.flatMap((page) => page.requests) ?? [];
  const tail = useTail(filter, older[0]?.id, live && pages.data !== undefined);
  return { ...pages, rows: [...tail.rows, ...older], tailError: tail.error };
}

function useTail(filter: RequestFilter, newestId: string | undefined, live: boolean) {
  const client = useQueryClient();
  const [rows, setRows] = useState<LoggedRequest[]>([]);
  const [error, setError] = useState<unknown>(null);
  const { operation, status_class, key_id } = filter;
  // The newest row when the tail starts is enough: it advances by itself.
  const getNewestId = useEffectEvent(() => newestId);
  useEffect(() => {
    if (!live) return undefined;
    let after = getNewestId();
    const stop = new AbortController();
    const poll = async () => {
      const query = { operation, status_class, key_id, after, limit: 200 };
      const page = await request('GET /account/requests', { query, signal: stop.signal });
      if (stop.signal.aborted) return;
      setError(null);
      after = page.requests[0]?.id ?? after;
      if (page.requests.length > 0) {
        setRows((last) => removeDuplicates([...page.requests, ...last]).slice(0, MAX_LIVE_ROWS));
      }
    };
    let timer: ReturnType<typeof setTimeout>;
    const schedulePoll = () => {
      timer = setTimeout(() => {
        poll()
          .catch((failure: unknown) => !stop.signal.aborted && setError(failure))
          .finally(() => !stop.signal.aborted && schedulePoll());
      }, LIVE_MS);
    };
    schedulePoll();
    return () => {
      stop.abort();
      clearTimeout(timer);
      setRows([]);
      setError(null);
      void client.invalidateQueries({ queryKey: ['requests'] });
    };
  }, [live, client, operation, status_class, key_id]);
  return { rows, error };
}

function removeDuplicates(rows: LoggedRequest[]): LoggedRequest[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
