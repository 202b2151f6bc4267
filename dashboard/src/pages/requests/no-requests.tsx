/** The request log without rows: nothing yet, or nothing that matches the filter. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty, NothingMatches } from '../../components/empty.tsx';
import { isFiltered, RANGES, type RequestSearch } from './request-filter.ts';
import { useRequestSearch } from './use-request-search.ts';

/** Shows the reason and the next step. */
export function NoRequests({ search, live }: { search: RequestSearch; live: boolean }) {
  if (live) return <Empty title="Waiting for requests">New requests appear here within two seconds.</Empty>;
  if (isFiltered(search)) return <NoMatch search={search} />;
  return (
    <Empty
      title="No requests yet"
      action={
        <>
          <Button renderRoot={(props) => <Link to="/try" {...props} />}>Make the first call</Button>
          <Button variant="default" component="a" href="/reference">
            API reference
          </Button>
        </>
      }
    >
      Each request made with one of your keys appears here within a second, with its status, duration and
      error.
    </Empty>
  );
}

function NoMatch({ search }: { search: RequestSearch }) {
  const { change, clear } = useRequestSearch();
  const isShort = search.range !== undefined || search.from !== undefined || search.to !== undefined;
  return (
    <NothingMatches
      title="No requests match"
      action={
        <>
          {isShort && (
            <Button
              variant="default"
              onClick={() => change({ range: undefined, from: undefined, to: undefined })}
            >
              Show 7 days
            </Button>
          )}
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        </>
      }
    >
      {describeFilter(search)}
    </NothingMatches>
  );
}

function describeFilter(search: RequestSearch): string {
  if (search.id !== undefined) return `The log has no request ID that is, starts or ends with ${search.id}.`;
  const words = [search.status, search.error, search.operation].filter((word) => word !== undefined);
  const range = RANGES.find(({ value }) => value === search.range)?.label.toLowerCase() ?? 'last 7 days';
  const what = words.length === 0 ? 'Nothing' : `Nothing with ${words.join(' and ').replaceAll(',', ', ')}`;
  return `${what} in this period (${range.replace('utc', 'UTC')}).`;
}
