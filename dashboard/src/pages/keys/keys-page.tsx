/** The keys page: create, rename, restrict, rotate and revoke keys. */
import { Button, SegmentedControl, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery, planQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import type { Key, Plan } from '../../api/types.ts';
import { isLive } from '../../components/api-key.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty } from '../../components/empty.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { CreateKeyModal } from './create-key-modal.tsx';
import { reloadKeys } from './key-mutations.ts';
import { type KeyAction, type KeyModalProps, KeyTable } from './key-table.tsx';
import { RenameKeyModal } from './rename-key-modal.tsx';
import { RestrictKeyModal } from './restrict-key-modal.tsx';
import { RotateKeyModal } from './rotate-key-modal.tsx';

/** Shows the keys with their dialogs. */
export function KeysPage() {
  const keys = useQuery(keysQuery);
  const plan = useQuery(planQuery).data;
  const [creating, setCreating] = useState(false);
  const [shown, setShown] = useState<string>('live');
  const [acting, setActing] = useState<{ action: KeyAction; key: Key; opened: boolean } | null>(null);
  const live = keys.data?.filter(isLive) ?? [];
  const ended = keys.data?.filter((key) => !isLive(key)) ?? [];
  const full = plan !== undefined && plan.keys_used >= plan.keys_limit;
  const dialog = (action: KeyAction) => ({
    opened: acting?.action === action && acting.opened,
    apiKey: acting?.action === action ? acting.key : null,
    onClose: () => setActing((last) => last && { ...last, opened: false }),
  });
  return (
    <>
      <PageHeader
        title="Keys"
        description={plan ? describeKeys(plan, live) : 'Your server sends a key with every request.'}
      >
        <Button
          leftSection={<Icon name="plus" />}
          onClick={() => setCreating(true)}
          disabled={full}
          title={
            full ? 'All keys are in use, including those in a grace period. Revoke one first.' : undefined
          }
        >
          Create a key
        </Button>
      </PageHeader>
      {ended.length > 0 && (
        <SegmentedControl
          mb="md"
          aria-label="Keys to show"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'live', label: `Active (${live.length})` },
            { value: 'ended', label: `Inactive (${ended.length})` },
          ]}
        />
      )}
      <KeyList
        keys={keys}
        rows={shown === 'live' || ended.length === 0 ? live : ended}
        onCreate={() => setCreating(true)}
        onAction={(action, key) => setActing({ action, key, opened: true })}
      />
      <CreateKeyModal opened={creating} onClose={() => setCreating(false)} />
      <RenameKeyModal {...dialog('rename')} />
      <RotateKeyModal {...dialog('rotate')} />
      <RestrictKeyModal {...dialog('restrict')} />
      <RevokeModal {...dialog('revoke')} />
    </>
  );
}

function describeKeys(plan: Plan, live: readonly Key[]): string {
  const inGracePeriod = live.filter((key) => key.rotated_to !== null).length;
  const grace = inGracePeriod === 0 ? '' : `, ${inGracePeriod} of them in a grace period`;
  return `${plan.keys_used} of ${plan.keys_limit} keys in use${grace}. Each key has its own limit of ${plan.limit_per_minute} requests per minute.`;
}

function KeyList({
  keys,
  rows,
  onCreate,
  onAction,
}: {
  keys: { isError: boolean; error: unknown; data: Key[] | undefined; refetch: () => unknown };
  rows: Key[];
  onCreate: () => void;
  onAction: (action: KeyAction, key: Key) => void;
}) {
  if (keys.data === undefined) {
    return (
      <QueryState query={keys}>
        <RowsLoading />
      </QueryState>
    );
  }
  return (
    <div className="surface">
      {rows.length === 0 ? (
        <Empty title="No active keys" action={<Button onClick={onCreate}>Create a key</Button>}>
          Your server needs a key to call the API. Create one for each server, so that you can revoke one
          without the others.
        </Empty>
      ) : (
        <KeyTable keys={rows} onAction={onAction} />
      )}
    </div>
  );
}

function RevokeModal({ opened, apiKey, onClose }: KeyModalProps) {
  const client = useQueryClient();
  const revoke = async () => {
    if (apiKey === null) return;
    await request('DELETE /account/keys/:id', { id: apiKey.id });
    reloadKeys(client);
  };
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Revoke key?"
      action="Revoke key"
      onConfirm={revoke}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{apiKey?.name}</strong> stops working immediately: requests with it get a 401. This cannot be
        undone.
      </Text>
    </ConfirmModal>
  );
}
