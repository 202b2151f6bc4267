/** The request log page: the requests of the last seven days, optionally live. */
import { Badge, Button, Center, Group, Select, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { keysQuery } from '../../api/queries.ts';
import type { LoggedRequest } from '../../api/types.ts';
import { getLoggedOperation, NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, LoadError, RowsLoading } from '../../components/page-states.tsx';
import { RequestId } from '../../components/request-id.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatClock, formatExact } from '../../components/format.ts';
import { useRequestFeed } from './request-feed.ts';

const STATUSES = [
  { value: '2xx', label: '2xx succeeded' },
  { value: '4xx', label: '4xx rejected' },
  { value: '5xx', label: '5xx failed' },
];

/** Shows the log. The filters are part of the URL. */
export function RequestsPage() {
  const search = useSearch({ from: '/frame/requests' });
  const [live, setLive] = useState(false);
  const feed = useRequestFeed(
    { operation: search.operation, status_class: search.status, key_id: search.key },
    live,
  );
  const filtered = search.operation !== undefined || search.status !== undefined || search.key !== undefined;
  return (
    <>
      <PageHeader
        title="Request log"
        description="The last seven days. The log contains only these columns: no addresses, URLs or documents."
      >
        <Switch label="Live" checked={live} onChange={(event) => setLive(event.currentTarget.checked)} />
      </PageHeader>
      <Filters />
      {feed.isError && <LoadError error={feed.error} retry={() => void feed.refetch()} />}
      {feed.tailError != null && <LoadError error={feed.tailError} retry={() => void feed.refetch()} />}
      {feed.isPending && <RowsLoading rows={8} />}
      {feed.data && (
        <div className="surface">
          {feed.rows.length === 0 ? (
            <NoRequests filtered={filtered} live={live} />
          ) : (
            <RequestTable rows={feed.rows} />
          )}
        </div>
      )}
      {feed.hasNextPage && (
        <Center mt="md">
          <Button
            variant="default"
            loading={feed.isFetchingNextPage}
            onClick={() => void feed.fetchNextPage()}
          >
            Show older requests
          </Button>
        </Center>
      )}
    </>
  );
}

function Filters() {
  const search = useSearch({ from: '/frame/requests' });
  const navigate = useNavigate({ from: '/requests' });
  const keys = useQuery(keysQuery).data ?? [];
  const choose = (change: Record<string, string | undefined>) =>
    void navigate({ search: (last) => ({ ...last, ...change }), replace: true });
  return (
    <Group mb="md" gap="sm">
      <Select
        aria-label="Operation"
        placeholder="All operations"
        clearable
        clearButtonProps={{ 'aria-label': 'Show all operations' }}
        data={[...OPERATIONS, NO_OPERATION].map(({ id, short }) => ({ value: id, label: short }))}
        value={search.operation ?? null}
        w={{ base: '100%', xs: 200 }}
        onChange={(operation) => choose({ operation: operation ?? undefined })}
      />
      <Select
        aria-label="Status"
        placeholder="All statuses"
        clearable
        clearButtonProps={{ 'aria-label': 'Show all statuses' }}
        data={STATUSES}
        value={search.status ?? null}
        w={{ base: '100%', xs: 200 }}
        onChange={(status) => choose({ status: status ?? undefined })}
      />
      <Select
        aria-label="Key"
        placeholder="All keys"
        clearable
        searchable
        clearButtonProps={{ 'aria-label': 'Show all keys' }}
        data={keys.map(({ id, name, last_four }) => ({
          value: id,
          label: `${name.slice(0, 60)} (…${last_four})`,
        }))}
        value={search.key ?? null}
        w={{ base: '100%', xs: 200 }}
        onChange={(key) => choose({ key: key ?? undefined })}
      />
    </Group>
  );
}

function NoRequests({ filtered, live }: { filtered: boolean; live: boolean }) {
  if (live) {
    return (
      <Empty icon="listDetails" title="Waiting for requests">
        New requests appear here within two seconds.
      </Empty>
    );
  }
  if (filtered) {
    return (
      <Empty icon="search" title="No matching requests">
        No request of the last seven days matches your filters.
      </Empty>
    );
  }
  return (
    <Empty
      icon="listDetails"
      title="No requests yet"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/try" {...props} />}>
          Try an operation
        </Button>
      }
    >
      Call the API with one of your keys, and the request appears here.
    </Empty>
  );
}

function RequestTable({ rows }: { rows: LoggedRequest[] }) {
  return (
    <StackTable label="Requests" columns={['Time', 'Operation', 'Status', 'Duration', 'Key', 'Request ID']}>
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell label="Time" wide inline>
            <time
              dateTime={row.at}
              title={formatExact(row.at)}
              className="tabular"
              style={{ whiteSpace: 'nowrap' }}
            >
              {formatClock(row.at)}
            </time>
          </Cell>
          <Cell label="Operation" wide inline>
            <Badge
              variant="light"
              color={getLoggedOperation(row.operation).color.split('.')[0] ?? 'gray'}
              tt="none"
              radius="sm"
            >
              {getLoggedOperation(row.operation).short}
            </Badge>
          </Cell>
          <Cell label="Status" wide inline>
            <StatusBadge status={row.status} />
          </Cell>
          <Cell label="Duration">
            <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
              {Math.round(row.ms).toLocaleString('en')} ms
            </span>
          </Cell>
          <Cell label="Key">
            <Text size="sm" truncate maw={180} title={row.key_name}>
              {row.key_name}
            </Text>
          </Cell>
          <Cell label="Request ID">
            <RequestId id={row.request_id} />
          </Cell>
        </Row>
      ))}
    </StackTable>
  );
}
