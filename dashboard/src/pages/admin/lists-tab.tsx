/** The lists of domains: source, size, age, the last refresh, and a large change to accept. */
import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { adminListsQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import type { DomainList } from '../../api/types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { formatCount, formatNumber } from '../../components/format.ts';
import { getErrorMessage, QueryState, RowsLoading } from '../../components/page-states.tsx';
import { TableTime } from '../../components/relative-time.tsx';
import { State, Tag } from '../../components/state.tsx';
import classes from './admin-page.module.css';

/** Shows the lists that decide whether a domain is disposable. */
export function ListsTab() {
  const lists = useQuery(adminListsQuery);
  return (
    <div className={classes.panel}>
      <QueryState query={lists}>
        <RowsLoading rows={3} />
      </QueryState>
      {lists.data && (
        <DataTable
          label="Lists of disposable domains"
          columns={COLUMNS}
          rows={lists.data}
          getKey={({ kind, source }) => `${kind} ${source}`}
          edge
        />
      )}
      <p className={classes.note}>
        Lists are settings of the service (DISPOSABLE_LIST_URL, EMAIL_ALLOW_DOMAINS, EMAIL_BLOCK_DOMAINS). A
        list that changes by over 30% waits until you accept it.
      </p>
    </div>
  );
}

const KINDS = {
  bundled: null,
  fetched: null,
  allowed: 'Never disposable',
  blocked: 'Always disposable',
} as const;

const COLUMNS: readonly Column<DomainList>[] = [
  { key: 'result', header: 'Result', narrow: 'note', render: (list) => <Result list={list} /> },
  {
    key: 'list',
    header: 'List',
    strong: true,
    narrow: 'title',
    render: ({ kind, source }) => (
      <span style={{ overflowWrap: 'anywhere' }}>
        {source ?? 'Built-in list'} {KINDS[kind] && <Tag>{KINDS[kind]}</Tag>}
      </span>
    ),
  },
  {
    key: 'domains',
    header: 'Domains',
    number: true,
    narrow: 'aside',
    render: ({ entries }) => formatNumber(entries),
  },
  {
    key: 'updated',
    header: 'Updated',
    number: true,
    render: (list) => (
      <TableTime iso={list.updated_at} none={list.kind === 'bundled' ? 'With the release' : 'Never'} />
    ),
  },
  {
    key: 'refreshed',
    header: 'Last refresh',
    number: true,
    render: (list) => <TableTime iso={list.refreshed_at} none={list.kind === 'bundled' ? '–' : 'Never'} />,
  },
  {
    key: 'actions',
    header: 'Actions',
    hideHeader: true,
    number: true,
    narrow: 'actions',
    render: (list) => list.offered && <AcceptButton list={list} />,
  },
];

const OUTCOMES = {
  replaced: { label: 'Updated', meaning: 'ok' },
  unchanged: { label: 'Unchanged', meaning: 'ok' },
  accepted: { label: 'Accepted', meaning: 'ok' },
  offered: { label: 'Waits for you', meaning: 'warn' },
  refused: { label: 'Refused', meaning: 'bad' },
  failed: { label: 'Failed', meaning: 'bad' },
} as const;

function Result({ list: { outcome, reason, suspected, dropped, offered } }: { list: DomainList }) {
  const bad = dropped === null ? 0 : dropped.malformed + dropped.public_suffix + dropped.never_disposable;
  return (
    <Stack gap={2} align="flex-start">
      {outcome ? (
        <State meaning={OUTCOMES[outcome].meaning}>{OUTCOMES[outcome].label}</State>
      ) : (
        <State meaning="ok">In use</State>
      )}
      {reason !== null && <Detail>{reason}</Detail>}
      {suspected !== null && suspected > 0 && <Detail>{formatNumber(suspected)} only suspected</Detail>}
      {offered && <Detail>{formatCount(offered.entries, 'domain')} offered</Detail>}
      {dropped && bad > 0 && (
        <Detail>
          {`Dropped: ${dropped.malformed} malformed, ${dropped.public_suffix} public suffixes, ${dropped.never_disposable} providers`}
        </Detail>
      )}
    </Stack>
  );
}

function Detail({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}

function AcceptButton({ list }: { list: DomainList }) {
  const client = useQueryClient();
  const accepting = useMutation({
    mutationFn: () => request('POST /account/admin/lists/accept', { body: { source: list.source ?? '' } }),
    onSettled: () => client.invalidateQueries({ queryKey: adminListsQuery.queryKey }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: 'Could not accept the list',
        message: getErrorMessage(error),
      }),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Accept the change of ${list.source}`}
      loading={accepting.isPending}
      onClick={() => accepting.mutate()}
    >
      Accept
    </Button>
  );
}
