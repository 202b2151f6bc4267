/** The request log page: a filter in the URL, a chart, the rows, and what is known about one of them. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react';
import { histogramQuery, loggedRequestQuery } from '../../api/request-log.ts';
import type { LoggedRequest } from '../../api/types.ts';
import { formatQuery } from '../../api/request.ts';
import { formatCount } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { type InspectorMoves, WithInspector } from '../../components/inspector.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { LoadError, QueryState, RowsLoading } from '../../components/page-states.tsx';
import { State } from '../../components/state.tsx';
import { Filters } from './filters.tsx';
import { NoRequests } from './no-requests.tsx';
import { useRequestFeed } from './request-feed.ts';
import { formatFilterKey, type RequestSearch, toLogQuery } from './request-filter.ts';
import { RequestHistogram } from './request-histogram.tsx';
import { RequestInspector } from './request-inspector.tsx';
import { RequestTable } from './request-table.tsx';
import classes from './requests.module.css';
import { useRequestSearch } from './use-request-search.ts';

/** Shows the log. */
export function RequestsPage() {
  const { search, change } = useRequestSearch();
  const [live, setLive] = useState(false);
  const feed = useRequestFeed(search, live);
  const histogram = useQuery(
    histogramQuery(formatFilterKey(search), (nowMs) => toLogQuery(search, nowMs), live),
  ).data;
  useLinkedRequest();
  useFoundRequest(search, feed.data === undefined || feed.isPlaceholderData ? [] : feed.rows);
  const inspected = useInspected(feed);
  return (
    <>
      <PageHeader
        title="Requests"
        description="Kept for 7 days. The log has no addresses, URLs or documents."
      >
        <ExportLink search={search} />
        <Button variant="default" aria-pressed={live} onClick={() => setLive(!live)}>
          <State meaning={live ? 'ok' : 'off'}>Live</State>
        </Button>
      </PageHeader>
      <Filters />
      <RequestHistogram histogram={histogram} />
      {feed.tailError != null && <LoadError error={feed.tailError} retry={() => void feed.refetch()} />}
      <QueryState query={feed}>
        <RowsLoading rows={12} height={24} />
      </QueryState>
      {feed.data && (
        <WithInspector inspector={inspected}>
          {feed.rows.length === 0 ? (
            <NoRequests search={search} live={live} />
          ) : (
            <RequestTable
              rows={feed.rows}
              selected={search.request}
              onSelect={(row) => change({ request: row.request_id })}
            />
          )}
          <Foot feed={feed} total={histogram?.total} isPartial={histogram?.counted_since != null} />
        </WithInspector>
      )}
    </>
  );
}

function formatCsvPath(search: RequestSearch, nowMs: number): string {
  return `/account/requests.csv${formatQuery(toLogQuery(search, nowMs))}`;
}

function ExportLink({ search }: { search: RequestSearch }) {
  // The range ends now: when the link is used, not when it is shown.
  const update = (event: SyntheticEvent<HTMLAnchorElement>) => {
    event.currentTarget.href = formatCsvPath(search, Date.now());
  };
  return (
    <Button
      variant="default"
      component="a"
      href="/account/requests.csv"
      onClick={update}
      onContextMenu={update}
      download
      leftSection={<Icon name="download" size={15} />}
    >
      Export CSV
    </Button>
  );
}

type Feed = ReturnType<typeof useRequestFeed>;

function Foot({ feed, total, isPartial }: { feed: Feed; total: number | undefined; isPartial: boolean }) {
  const shown = feed.rows.length;
  if (shown === 0) return null;
  const all = Math.max(shown, total ?? 0);
  return (
    <div className={classes.foot}>
      <span role="status">
        {feed.hasNextPage
          ? `${shown.toLocaleString('en')} of ${isPartial ? 'at least ' : ''}${formatCount(all, 'request')}`
          : formatCount(shown, 'request')}
      </span>
      {feed.hasNextPage && (
        <Button variant="default" loading={feed.isFetchingNextPage} onClick={() => void feed.fetchNextPage()}>
          Load older
        </Button>
      )}
    </div>
  );
}

/** Returns the inspector of the request in the URL, which need not be in the list; null without one. */
function useInspected(feed: Feed) {
  const { search, change } = useRequestSearch();
  const index = feed.rows.findIndex((row) => row.request_id === search.request);
  const listed = feed.rows[index];
  const loaded = useQuery(loggedRequestQuery(listed ? undefined : search.request));
  const shown = listed ?? (search.request === undefined ? undefined : loaded.data);
  const show = (row: LoggedRequest | undefined) => row && (() => change({ request: row.request_id }));
  const loadNext = feed.hasNextPage
    ? () => void feed.fetchNextPage().then(({ data }) => show(data?.pages.at(-1)?.requests[0])?.())
    : undefined;
  const moves: InspectorMoves = {
    previous: listed && show(feed.rows[index - 1]),
    next: listed && (show(feed.rows[index + 1]) ?? loadNext),
    close: () => change({ request: undefined }),
  };
  return shown ? <RequestInspector request={shown} moves={moves} /> : null;
}

/** Opens the request whose ID follows the `#`: the `instance` of an error body is such a link. */
function useLinkedRequest(): void {
  const hash = useRouterState({ select: (state) => state.location.hash });
  const navigate = useNavigate({ from: '/requests' });
  useEffect(() => {
    if (hash !== '') void navigate({ search: { id: hash, request: hash }, hash: '', replace: true });
  }, [hash, navigate]);
}

/** Opens the request that a search by its whole ID found. */
function useFoundRequest(search: RequestSearch, rows: readonly LoggedRequest[]): void {
  const { change } = useRequestSearch();
  const found = rows.length === 1 && rows[0]?.request_id === search.id ? search.id : undefined;
  const open = useEffectEvent((request: string) => change({ request }));
  useEffect(() => {
    if (found !== undefined) open(found);
  }, [found]);
}
