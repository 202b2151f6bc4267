/** The frame of the pages that run an operation: title, choice of the key, and the state without a key. */
import { Button, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { keysQuery } from '../../api/queries.ts';
import type { Key } from '../../api/types.ts';
import { formatKeyName, isLive } from '../../components/api-key.ts';
import { Empty } from '../../components/empty.tsx';
import { getOperation, type Operation } from '../../components/operations.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { useServedOperations } from '../../components/served-operations.ts';
import classes from './try.module.css';

// Loaded on demand: most accounts already have a key.
const CreateKeyModal = lazy(async () => ({
  default: (await import('../keys/create-key-modal.tsx')).CreateKeyModal,
}));

/** Shows `children` for the chosen key, which is part of the URL. `actions` are right of the choice. */
export function TryPage({
  operation,
  title,
  actions,
  children,
}: {
  operation: Operation;
  title: string;
  actions?: ReactNode;
  children: (key: Key) => ReactNode;
}) {
  const keys = useQuery(keysQuery);
  const search = useSearch({ strict: false });
  const [creating, setCreating] = useState(false);
  const isServed = useServedOperations().served.some(({ id }) => id === operation);
  const usable = isServed ? (keys.data ?? []).filter(isLive) : [];
  const key = usable.find(({ id }) => id === search.key) ?? usable[0];
  const { method, path } = getOperation(operation);
  return (
    <>
      <PageHeader
        title={title}
        description={
          <span className="mono">
            {method} {path}
          </span>
        }
      >
        {key && <KeyChoice operation={operation} keys={usable} value={key.id} />}
        {key && actions}
      </PageHeader>
      {!isServed && <Text size="sm">Not served by this server.</Text>}
      {isServed && keys.data === undefined && (
        <QueryState query={keys}>
          <RowsLoading rows={2} height={200} />
        </QueryState>
      )}
      {isServed && keys.data && !key && (
        <Empty
          title="You need a key first"
          action={<Button onClick={() => setCreating(true)}>Create key</Button>}
        >
          A call runs the real operation with one of your keys, and counts toward its limit.
        </Empty>
      )}
      {key && children(key)}
      {creating && (
        <Suspense>
          <CreateKeyModal opened onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

function KeyChoice({ operation, keys, value }: { operation: Operation; keys: Key[]; value: string }) {
  const navigate = useNavigate();
  return (
    <Select
      aria-label="Key"
      allowDeselect={false}
      value={value}
      onChange={(id) =>
        void navigate({ to: getOperation(operation).page, search: { key: id ?? undefined }, replace: true })
      }
      data={keys.map((each) => ({ value: each.id, label: formatKeyName(each) }))}
      className={classes.key}
    />
  );
}
