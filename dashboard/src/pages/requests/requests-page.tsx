/** The request log page: the requests of the last seven days, optionally live. */
import { Badge, Button, Group, Select, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { keysQuery } from '../../api/queries.ts';
import type { LoggedRequest } from '../../api/types.ts';
import { formatNumber } from '../../components/format.ts';
import { KeyFilter } from '../../components/key-filter.tsx';
import { getLoggedOperation, NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty } from '../../components/empty.tsx';
import { LoadError, QueryState, RowsLoading } from '../../components/page-states.tsx';
import { ClockTime } from '../../components/relative-time.tsx';
import { RequestId } from '../../components/request-id.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
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
      {feed.tailError != null && <LoadError error={feed.tailError} retry={() => void feed.refetch()} />}
      <QueryState query={feed}>
        <RowsLoading rows={8} />
      </QueryState>
      {feed.data && (
        <div className="surface">
          {feed.rows.length === 0 ? (
            <NoRequests filtered={filtered} live={live} />
          ) : (
            <RequestTable rows={feed.rows} />
          )}
        </div>
      )}
      <ShowMore query={feed} label="Show older requests" />
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
      <KeyFilter
        keys={keys}
        value={search.key}
        onChange={(key) => choose({ key })}
        w={{ base: '100%', xs: 200 }}
      />
    </Group>
  );
}

function NoRequests({ filtered, live }: { filtered: boolean; live: boolean }) {
  if (live) {
    return <Empty title="Waiting for requests">New requests appear here within two seconds.</Empty>;
  }
  if (filtered) {
    return (
      <Empty title="No matching requests">No request of the last seven days matches your filters.</Empty>
    );
  }
  return (
    <Empty
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
            <ClockTime iso={row.at} />
          </Cell>
          <Cell label="Operation" wide inline>
            <Badge color={getLoggedOperation(row.operation).color.split('.')[0] ?? 'gray'}>
              {getLoggedOperation(row.operation).short}
            </Badge>
          </Cell>
          <Cell label="Status" wide inline>
            <StatusBadge status={row.status} />
          </Cell>
          <Cell label="Duration">
            <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
              {formatNumber(Math.round(row.ms))} ms
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
