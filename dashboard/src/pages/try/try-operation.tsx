/**
 * Runs an operation under one of the account's keys. The secret is not sent to the page. The page of each
 * operation shows it.
 */
import { Alert, Button, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { keysQuery } from '../../api/queries.ts';
import { runOperation } from '../../api/run-operation.ts';
import { useServedOperations } from '../../components/served-operations.ts';
import type { Key } from '../../api/types.ts';
import { formatKeyName, isLive } from '../../components/api-key.ts';
import { Icon } from '../../components/icon.tsx';
import { getOperation, type Operation } from '../../components/operations.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty } from '../../components/empty.tsx';
import { FormError, QueryState, RowsLoading } from '../../components/page-states.tsx';
import { ResponsePanel } from './response-panel.tsx';
import { PdfForm } from './pdf-form.tsx';
import { EmailForm, MetadataForm } from './query-form.tsx';

// Loaded on demand: most accounts already have a key.
const CreateKeyModal = lazy(async () => ({
  default: (await import('../keys/create-key-modal.tsx')).CreateKeyModal,
}));

/** Shows the form of an operation. The key is part of the URL. */
export function TryOperation({ operation }: { operation: Operation }) {
  const keys = useQuery(keysQuery);
  const [creating, setCreating] = useState(false);
  const usable = keys.data?.filter(isLive) ?? [];
  const { title } = getOperation(operation);
  const isServed = useServedOperations().served.some(({ id }) => id === operation);
  if (!isServed) {
    return (
      <>
        <PageHeader title={title} />
        <Text size="sm">Not served by this server.</Text>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={title}
        description="A call runs the real operation with one of your keys, and counts toward its limit and your usage."
      />
      {keys.data === undefined && (
        <QueryState query={keys}>
          <RowsLoading rows={2} height={200} />
        </QueryState>
      )}
      {keys.data && usable.length === 0 && (
        <Empty
          title="You need a key first"
          action={<Button onClick={() => setCreating(true)}>Create a key</Button>}
        >
          Every call needs a key. Create one to try the API.
        </Empty>
      )}
      {isNotEmpty(usable) && <TryWithKey operation={operation} keys={usable} />}
      {creating && (
        <Suspense>
          <CreateKeyModal opened onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

function TryWithKey({ operation, keys }: { operation: Operation; keys: [Key, ...Key[]] }) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const key = keys.find(({ id }) => id === search.key) ?? keys[0];
  return (
    <Stack gap="lg">
      <Select
        label="Key"
        allowDeselect={false}
        value={key.id}
        onChange={(id) =>
          void navigate({ to: getOperation(operation).page, search: { key: id ?? undefined }, replace: true })
        }
        data={keys.map((each) => ({ value: each.id, label: formatKeyName(each) }))}
        w={{ base: '100%', xs: 320 }}
      />
      <OperationPanel operation={operation} apiKey={key} />
    </Stack>
  );
}

const FORMS = { validateEmail: EmailForm, getMetadata: MetadataForm, generatePdf: PdfForm };

function OperationPanel({ operation, apiKey }: { operation: Operation; apiKey: Key }) {
  const client = useQueryClient();
  const [call, setCall] = useState<Record<string, unknown> | null>(null);
  const running = useMutation({
    mutationFn: (members: Record<string, unknown>) => runOperation(operation, apiKey.id, members),
    onSettled: () => {
      for (const queryKey of [['overview'], ['usage'], ['requests'], ['keys']]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
  const response = useRef<HTMLDivElement>(null);
  useScrollIntoView(response, running.data ?? running.error);
  const Form = FORMS[operation];
  const { method, path } = getOperation(operation);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <div className="surface" style={{ padding: 20, alignSelf: 'start' }}>
        <Stack gap="sm">
          <Text size="sm" ff="monospace" c="dimmed">
            {method} {path}
          </Text>
          <Form
            busy={running.isPending}
            onSend={(members) => {
              setCall(members);
              running.mutate(members);
            }}
          />
        </Stack>
      </div>
      <Stack ref={response} gap="md" style={{ minWidth: 0, scrollMarginTop: 72 }}>
        {running.error != null && <FormError error={running.error} />}
        {running.data && call ? (
          <ResponsePanel response={running.data} call={{ operation, members: call }} />
        ) : (
          !running.isError && (
            <Alert color="gray" icon={<Icon name="infoCircle" />}>
              <Text size="sm">The response appears here: status, duration, headers and body.</Text>
            </Alert>
          )
        )}
      </Stack>
    </SimpleGrid>
  );
}

/** Scrolls to the response, which is below the form on a narrow screen. */
function useScrollIntoView(element: RefObject<HTMLElement | null>, response: unknown): void {
  useEffect(() => {
    const top = element.current?.getBoundingClientRect().top ?? 0;
    if (response === null || response === undefined || top < window.innerHeight * 0.7) return;
    const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.current?.scrollIntoView({ behavior: isReduced ? 'auto' : 'smooth', block: 'start' });
  }, [element, response]);
}

function isNotEmpty(keys: Key[]): keys is [Key, ...Key[]] {
  return keys.length > 0;
}
