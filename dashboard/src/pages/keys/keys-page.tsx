/** The keys page: find, create, rename, restrict, rotate and revoke keys. */
import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { keysQuery, planQuery } from '../../api/queries.ts';
import type { Key, ListedKey, Plan } from '../../api/types.ts';
import { isLive } from '../../components/api-key.ts';
import { FilterBar } from '../../components/chip.tsx';
import { Empty, NothingMatches } from '../../components/empty.tsx';
import { formatNumber } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { CreateKeyModal } from './create-key-modal.tsx';
import type { KeyAction } from './key-actions.tsx';
import { GROUPS, getGroup, selectKeys } from './key-state.ts';
import { KeyTable } from './key-table.tsx';
import classes from './keys.module.css';
import { RenameKey } from './rename-key.tsx';
import { RestrictKey } from './restrict-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

/** Shows the keys with their drawers. */
export function KeysPage() {
  const keys = useQuery(keysQuery);
  const plan = useQuery(planQuery).data;
  const [creating, setCreating] = useState(false);
  const [acting, setActing] = useState<{ action: KeyAction; key: ListedKey; opened: boolean } | null>(null);
  const full = plan !== undefined && plan.keys_used >= plan.keys_limit;
  const create = () => setCreating(true);
  const dialog = (action: KeyAction) => ({
    opened: acting?.action === action && acting.opened,
    apiKey: acting?.action === action ? acting.key : null,
    onClose: () => setActing((last) => last && { ...last, opened: false }),
  });
  return (
    <>
      <PageHeader
        title="Keys"
        description={
          plan
            ? describeKeys(plan, keys.data?.filter(isLive) ?? [])
            : 'Your server sends a key with every request.'
        }
      >
        <CreateButton full={full} onClick={create} />
      </PageHeader>
      <QueryState query={keys}>
        <RowsLoading height={28} rows={6} />
      </QueryState>
      {keys.data && (
        <KeyList
          keys={keys.data}
          onCreate={create}
          onAction={(action, key) => setActing({ action, key, opened: true })}
        />
      )}
      <CreateKeyModal opened={creating} onClose={() => setCreating(false)} />
      <RenameKey {...dialog('rename')} />
      <RotateKey {...dialog('rotate')} />
      <RestrictKey {...dialog('restrict')} />
      <RevokeKey {...dialog('revoke')} />
    </>
  );
}

/** Stays focusable when all keys are in use, so that screen readers read the reason. */
function CreateButton({ full, onClick }: { full: boolean; onClick: () => void }) {
  const reason = 'All keys are in use, including those in a grace period. Revoke one first.';
  return (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      onClick={() => full || onClick()}
      {...(full && { 'aria-disabled': true, 'data-disabled': true, title: reason })}
    >
      Create key
    </Button>
  );
}

function describeKeys(plan: Plan, live: readonly Key[]): string {
  const inGracePeriod = live.filter((key) => key.rotated_to !== null).length;
  const grace = inGracePeriod === 0 ? '' : `, ${inGracePeriod} of them in a grace period`;
  return `${plan.keys_used} of ${plan.keys_limit} keys in use${grace}. Each key may send ${formatNumber(plan.limit_per_minute)} requests a minute.`;
}

function KeyList({
  keys,
  onCreate,
  onAction,
}: {
  keys: readonly ListedKey[];
  onCreate: () => void;
  onAction: (action: KeyAction, key: ListedKey) => void;
}) {
  const { search, state } = useSearch({ from: '/frame/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const choose = (change: { search?: string | undefined; state?: string | undefined }) =>
    void navigate({ search: (last) => ({ ...last, ...change }), replace: true, resetScroll: false });
  if (keys.length === 0) {
    return (
      <Empty title="No keys yet" action={<Button onClick={onCreate}>Create key</Button>}>
        Your server needs a key to call the API. Create one for each server, so that you can revoke one
        without the others.
      </Empty>
    );
  }
  const rows = selectKeys(keys, state, search);
  return (
    <>
      <FilterBar>
        <SearchField
          label="Search keys"
          placeholder="Name, prefix or last four"
          value={search ?? ''}
          onChange={(text) => choose({ search: text || undefined })}
        />
        <Segments keys={keys} value={state ?? 'all'} onChange={(group) => choose({ state: group })} />
      </FilterBar>
      {rows.length > 0 ? (
        <KeyTable keys={rows} onAction={onAction} />
      ) : (
        <NothingMatches
          title="No keys match"
          action={
            <Button variant="subtle" onClick={() => choose({ search: undefined, state: undefined })}>
              Show all keys
            </Button>
          }
        >
          {search === undefined
            ? 'No key is in this state.'
            : `No key here has ${search} in its name or text.`}
        </NothingMatches>
      )}
      <p className={classes.note}>
        A key belongs on a server. Responses have no CORS headers: a key in a web page or an app does not
        work, and leaks.
      </p>
    </>
  );
}

/** Shows the groups that have keys, with their numbers. */
function Segments({
  keys,
  value,
  onChange,
}: {
  keys: readonly Key[];
  value: string;
  onChange: (group: string | undefined) => void;
}) {
  const counts = Map.groupBy(keys, getGroup);
  const count = (group: string) =>
    group === 'all' ? keys.length : (counts.get(group as ReturnType<typeof getGroup>)?.length ?? 0);
  return (
    <SegmentedControl
      aria-label="State"
      value={value}
      onChange={(group) => onChange(group === 'all' ? undefined : group)}
      data={GROUPS.map((group) => ({
        value: group.value,
        label: (
          <>
            {group.label} <span className={classes.count}>{count(group.value)}</span>
          </>
        ),
      }))}
    />
  );
}
