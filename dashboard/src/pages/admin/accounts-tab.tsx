/** All accounts: change the plan, disable, enable. */
import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adminAccountsQuery, adminPlansQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { useAccount } from '../../api/session.ts';
import type { AdminAccount } from '../../api/types.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { Empty } from '../../components/empty.tsx';
import { getErrorMessage, QueryState, RowsLoading } from '../../components/page-states.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

/** Lists the accounts whose address contains the search text. */
export function AccountsTab() {
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search.trim(), 250);
  const accounts = useInfiniteQuery(adminAccountsQuery(settled));
  const [disabling, setDisabling] = useState<{ account: AdminAccount; opened: boolean } | null>(null);
  const rows = accounts.data?.pages.flatMap((page) => page.accounts) ?? [];
  return (
    <Stack gap="md">
      <TextInput
        aria-label="Search by email address"
        placeholder="Search by email address"
        leftSection={<Icon name="search" size={16} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maw={360}
      />
      <QueryState query={accounts}>
        <RowsLoading rows={6} />
      </QueryState>
      {accounts.data && (
        <div className="surface">
          {rows.length === 0 ? (
            <Empty title="No account found">No address contains “{settled.slice(0, 80)}”.</Empty>
          ) : (
            <AccountTable rows={rows} onDisable={(account) => setDisabling({ account, opened: true })} />
          )}
        </div>
      )}
      <ShowMore query={accounts} label="Show more accounts" />
      <DisableModal
        account={disabling?.account}
        opened={disabling?.opened ?? false}
        onClose={() => setDisabling((last) => last && { ...last, opened: false })}
      />
    </Stack>
  );
}

function useChangeAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...change }: { id: string; plan?: string; disabled?: boolean }) =>
      request('PATCH /account/admin/accounts/:id', { id, body: change }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin'] }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: 'Could not change the account',
        message: getErrorMessage(error),
      }),
  });
}

function AccountTable({
  rows,
  onDisable,
}: {
  rows: AdminAccount[];
  onDisable: (account: AdminAccount) => void;
}) {
  return (
    <StackTable label="Accounts" columns={['Account', 'Plan', 'Keys', 'Last used', 'Created', 'Actions']}>
      {rows.map((row) => (
        <AccountRow key={row.id} row={row} onDisable={() => onDisable(row)} />
      ))}
    </StackTable>
  );
}

function AccountRow({ row, onDisable }: { row: AdminAccount; onDisable: () => void }) {
  const self = useAccount();
  const plans = useQuery(adminPlansQuery).data?.map(({ name }) => name) ?? [];
  const changing = useChangeAccount();
  return (
    <Row>
      <Cell wide>
        <Group gap={6}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {row.email}
          </Text>
          {row.admin && <Badge color="gray">Admin</Badge>}
          {row.disabled && <Badge color="red">Disabled</Badge>}
          {!row.email_verified && <Badge color="orange">Not confirmed</Badge>}
        </Group>
      </Cell>
      <Cell label="Plan">
        <Select
          aria-label={`Plan of ${row.email}`}
          size="xs"
          w={130}
          allowDeselect={false}
          data={plans.includes(row.plan) ? plans : [...plans, row.plan]}
          value={row.plan}
          onChange={(plan) => plan !== null && plan !== row.plan && changing.mutate({ id: row.id, plan })}
        />
      </Cell>
      <Cell label="Keys">
        <span className="tabular">{row.keys}</span>
      </Cell>
      <Cell label="Last used">
        <RelativeTime iso={row.last_used_at} />
      </Cell>
      <Cell label="Created">
        <RelativeTime iso={row.created_at} />
      </Cell>
      <Cell label="Actions">
        {row.id !== self.id && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${row.disabled ? 'Enable' : 'Disable'} ${row.email}`}
            onClick={() => (row.disabled ? changing.mutate({ id: row.id, disabled: false }) : onDisable())}
          >
            {row.disabled ? 'Enable' : 'Disable'}
          </Button>
        )}
      </Cell>
    </Row>
  );
}

function DisableModal({
  account,
  opened,
  onClose,
}: {
  account: AdminAccount | undefined;
  opened: boolean;
  onClose: () => void;
}) {
  const changing = useChangeAccount();
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Disable the account?"
      action="Disable account"
      onConfirm={async () => account && changing.mutateAsync({ id: account.id, disabled: true })}
    >
      <strong style={{ overflowWrap: 'anywhere' }}>{account?.email}</strong> is signed out, and its keys stop
      working until you enable it again. Nothing is deleted.
    </ConfirmModal>
  );
}
