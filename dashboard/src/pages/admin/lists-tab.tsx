/** The lists of domains: source, size, age, the last refresh, and a large change to accept. */
import { Badge, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { adminListsQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import type { DomainList } from '../../api/types.ts';
import { formatCount, formatNumber } from '../../components/format.ts';
import { getErrorMessage, QueryState, RowsLoading } from '../../components/page-states.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';

const COLUMNS = ['List', 'Domains', 'Updated', 'Last refresh', 'Result', 'Actions'];

/** Shows the lists that decide whether a domain is disposable. */
export function ListsTab() {
  const lists = useQuery(adminListsQuery);
  if (lists.data === undefined) {
    return (
      <QueryState query={lists}>
        <RowsLoading rows={3} />
      </QueryState>
    );
  }
  return (
    <Stack gap="sm">
      <div className="surface">
        <StackTable label="Lists of disposable domains" columns={COLUMNS}>
          {lists.data.map((list) => (
            <ListRow key={`${list.kind} ${list.source}`} list={list} />
          ))}
        </StackTable>
      </div>
      <Text size="sm" c="dimmed">
        Lists are set in the service’s configuration (DISPOSABLE_LIST_URL, EMAIL_ALLOW_DOMAINS,
        EMAIL_BLOCK_DOMAINS). A list that changes by over 30% waits until you accept it.
      </Text>
    </Stack>
  );
}

const KINDS = {
  bundled: null,
  fetched: null,
  allowed: { label: 'Never disposable', color: 'green' },
  blocked: { label: 'Always disposable', color: 'orange' },
} as const;

function ListRow({ list }: { list: DomainList }) {
  const kind = KINDS[list.kind];
  return (
    <Row>
      <Cell wide>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {list.source ?? 'Built-in list'}
        </Text>
        {kind && <Badge color={kind.color}>{kind.label}</Badge>}
      </Cell>
      <Cell label="Domains">
        <span className="tabular">{formatNumber(list.entries)}</span>
      </Cell>
      <Cell label="Updated">
        <RelativeTime iso={list.updated_at} none={list.kind === 'bundled' ? 'With the release' : 'Never'} />
      </Cell>
      <Cell label="Last refresh">
        <RelativeTime iso={list.refreshed_at} none={list.kind === 'bundled' ? '–' : 'Never'} />
      </Cell>
      <Cell label="Result">
        <Result list={list} />
      </Cell>
      <Cell label="Actions">{list.offered && <AcceptButton list={list} />}</Cell>
    </Row>
  );
}

const OUTCOMES = {
  replaced: { label: 'Updated', color: 'green' },
  unchanged: { label: 'Unchanged', color: 'green' },
  accepted: { label: 'Accepted', color: 'green' },
  offered: { label: 'Waits for you', color: 'orange' },
  refused: { label: 'Refused', color: 'red' },
  failed: { label: 'Failed', color: 'red' },
} as const;

function Result({ list: { outcome, reason, dropped, offered } }: { list: DomainList }) {
  const bad = dropped === null ? 0 : dropped.malformed + dropped.public_suffix + dropped.never_disposable;
  return (
    <Stack gap={4} align="flex-start">
      {outcome && <Badge color={OUTCOMES[outcome].color}>{OUTCOMES[outcome].label}</Badge>}
      {reason !== null && <Detail>{reason}</Detail>}
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
