/** Try it: a form for each operation, run by the service under one of the account's keys; the key never comes into the page. */
import { Alert, Button, Group, Select, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { keysQuery } from '../../api/queries.ts';
import { runOperation } from '../../api/try.ts';
import type { Key, Operation } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { operationInfo, OPERATIONS } from '../../components/operations.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, FormError, LoadError, RowsLoading } from '../../components/page-states.tsx';
import { maskedKey } from '../keys/key-badges.tsx';
import { AnswerPanel } from './answer-panel.tsx';
import { PdfForm } from './pdf-form.tsx';
import { EmailForm, MetadataForm } from './query-form.tsx';

// Most accounts that come here have a key.
const CreateKeyModal = lazy(async () => ({
  default: (await import('../keys/create-key-modal.tsx')).CreateKeyModal,
}));

/** The page; the operation and the key are in its address. */
export function TryPage() {
  const keys = useQuery(keysQuery);
  const [creating, setCreating] = useState(false);
  const usable = keys.data?.filter(({ status }) => status === 'active' || status === 'expiring') ?? [];
  return (
    <>
      <PageHeader
        title="Try it"
        description="Runs the real operation under one of your keys. It counts against the key’s limit and shows in your usage."
      />
      {keys.data === undefined && !keys.isError && <RowsLoading rows={2} height={200} />}
      {keys.data === undefined && keys.isError && (
        <LoadError error={keys.error} retry={() => void keys.refetch()} />
      )}
      {keys.data && usable.length === 0 && (
        <div className="surface">
          <Empty
            icon="key"
            title="You need a key first"
            action={<Button onClick={() => setCreating(true)}>Create a key</Button>}
          >
            Every call is made under a key. Make one, and this page can use it at once.
          </Empty>
        </div>
      )}
      {isSome(usable) && <TryTabs keys={usable} />}
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
  const operation = operationInfo(search.operation).id;
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
          {OPERATIONS.map(({ id, short }) => (
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
          data={keys.map((each) => ({
            value: each.id,
            label: `${each.name.slice(0, 40)} · ${maskedKey(each)}`,
          }))}
          w={{ base: '100%', xs: 320 }}
        />
      </Group>
      {OPERATIONS.map(({ id }) => (
        <Tabs.Panel key={id} value={id}>
          <Bench operation={id} apiKey={key} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const FORMS = { validateEmail: EmailForm, getMetadata: MetadataForm, generatePdf: PdfForm };

function Bench({ operation, apiKey }: { operation: Operation; apiKey: Key }) {
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
  const answer = useRef<HTMLDivElement>(null);
  useComeIntoView(answer, running.data ?? running.error);
  const Form = FORMS[operation];
  const { method, path } = operationInfo(operation);
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
              if (running.isPending) return;
              setCall(members);
              running.mutate(members);
            }}
          />
        </Stack>
      </div>
      <Stack ref={answer} gap="md" style={{ minWidth: 0, scrollMarginTop: 72 }}>
        {running.error != null && <FormError error={running.error} />}
        {running.data && call ? (
          <AnswerPanel answer={running.data} call={{ operation, members: call }} />
        ) : (
          !running.isError && (
            <Alert color="gray" icon={<Icon name="infoCircle" />}>
              <Text size="sm">The answer shows here: its status, headers, time and body.</Text>
            </Alert>
          )
        )}
      </Stack>
    </SimpleGrid>
  );
}

/** On a narrow screen the answer stands below its form: it is scrolled to when it comes. */
function useComeIntoView(place: RefObject<HTMLElement | null>, answer: unknown): void {
  useEffect(() => {
    const top = place.current?.getBoundingClientRect().top ?? 0;
    if (answer === null || answer === undefined || top < window.innerHeight * 0.7) return;
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    place.current?.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
  }, [place, answer]);
}

function isSome(keys: Key[]): keys is [Key, ...Key[]] {
  return keys.length > 0;
}
