/**
 * The "Try it" page: runs an operation under one of the account's keys. The secret is not sent to the page.
 */
import { Alert, Button, Group, Select, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
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
import { Empty, FormError, QueryState, RowsLoading } from '../../components/page-states.tsx';
import { ResponsePanel } from './response-panel.tsx';
import { PdfForm } from './pdf-form.tsx';
import { EmailForm, MetadataForm } from './query-form.tsx';

// Loaded on demand: most accounts already have a key.
const CreateKeyModal = lazy(async () => ({
  default: (await import('../keys/create-key-modal.tsx')).CreateKeyModal,
}));

/** Shows a form per operation. Operation and key are part of the URL. */
export function TryPage() {
  const keys = useQuery(keysQuery);
  const [creating, setCreating] = useState(false);
  const usable = keys.data?.filter(isLive) ?? [];
  return (
    <>
      <PageHeader
        title="Try it"
        description="Each call runs the real operation with one of your keys, and counts toward its limit and your usage."
      />
      {keys.data === undefined && (
        <QueryState query={keys}>
          <RowsLoading rows={2} height={200} />
        </QueryState>
      )}
      {keys.data && usable.length === 0 && (
        <div className="surface">
          <Empty
            icon="key"
            title="You need a key first"
            action={<Button onClick={() => setCreating(true)}>Create a key</Button>}
          >
            Every call needs a key. Create one to try the API.
          </Empty>
        </div>
      )}
      {isNotEmpty(usable) && <TryTabs keys={usable} />}
      {creating && (
        <Suspense>
          <CreateKeyModal opened onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

function TryTabs({ keys }: { keys: [Key, ...Key[]] }) {
  const search = useSearch({ from: '/frame/try' });
  const navigate = useNavigate({ from: '/try' });
  const { served, absent } = useServedOperations();
  const operation = (served.find(({ id }) => id === search.operation) ?? served[0])?.id ?? null;
  const key = keys.find(({ id }) => id === search.key) ?? keys[0];
  return (
    <Tabs
      value={operation}
      onChange={(value) =>
        void navigate({ search: (last) => ({ ...last, operation: value ?? undefined }), replace: true })
      }
      keepMounted
    >
      <Group justify="space-between" align="flex-end" mb="md" gap="sm">
        <Tabs.List style={{ flexWrap: 'nowrap' }}>
          {served.map(({ id, short }) => (
            <Tabs.Tab key={id} value={id}>
              {short}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Select
          label="Key"
          allowDeselect={false}
          value={key.id}
          onChange={(id) =>
            void navigate({ search: (last) => ({ ...last, key: id ?? undefined }), replace: true })
          }
          data={keys.map((each) => ({ value: each.id, label: formatKeyName(each) }))}
          w={{ base: '100%', xs: 320 }}
        />
      </Group>
      {absent.length > 0 && (
        <Text size="sm" c="dimmed" mb="md">
          Not served by this server: {absent.map(({ title }) => title).join(', ')}.
        </Text>
      )}
      {served.map(({ id }) => (
        <Tabs.Panel key={id} value={id}>
          <OperationPanel operation={id} apiKey={key} />
        </Tabs.Panel>
      ))}
    </Tabs>
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
