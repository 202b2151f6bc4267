/** Loads the request log: pages of older requests, and a live tail of newer ones. */
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { request } from '../../api/request.ts';
import type { LoggedRequest } from '../../api/types.ts';
import { formatFilterKey, parseFilterKey, type RequestSearch, toLogQuery } from './request-filter.ts';

const PAGE_SIZE = 50;
const LIVE_MS = 2000;
// Bounds the memory of a tab that stays open.
const MAX_LIVE_ROWS = 500;

/** Returns the filtered log, newest first. With `live`, newer requests are added every two seconds. */
export function useRequestFeed(search: RequestSearch, live: boolean) {
  const filterKey = formatFilterKey(search);
  const pages = useInfiniteQuery({
    queryKey: ['requests', filterKey],
    queryFn: ({ pageParam, signal }) =>
      request('GET /account/requests', {
        query: { ...toLogQuery(search, Date.now()), before: pageParam, limit: PAGE_SIZE },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: !live,
  });
  const older = pages.data?.pages.flatMap((page) => page.requests) ?? [];
  const isLive = live && pages.data !== undefined && !pages.isPlaceholderData && search.id === undefined;
  const tail = useTail(filterKey, older[0]?.id, isLive);
  return { ...pages, rows: removeDuplicates([...tail.rows, ...older]), tailError: tail.error };
}

function useTail(filterKey: string, newestId: string | undefined, live: boolean) {
  const client = useQueryClient();
  const [rows, setRows] = useState<LoggedRequest[]>([]);
  const [error, setError] = useState<unknown>(null);
  // The newest row when the tail starts is enough: it advances by itself.
  const getNewestId = useEffectEvent(() => newestId);
  useEffect(() => {
    if (!live) return undefined;
    let after = getNewestId();
    const filter = parseFilterKey(filterKey);
    const stop = new AbortController();
    const poll = async () => {
      const query = { ...toLogQuery(filter, Date.now()), after, limit: 200 };
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
  }, [live, client, filterKey]);
  return { rows, error };
}

function removeDuplicates(rows: LoggedRequest[]): LoggedRequest[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
