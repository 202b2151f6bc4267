/** The response of an operation: status, duration, headers, body, and the call as code. */
import { Button, Group, Skeleton, Stack, Table, Tabs, Text } from '@mantine/core';
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react';
import type { OperationResponse } from '../../api/run-operation.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { formatNumber } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { SnippetTabs } from '../../components/snippet-tabs.tsx';
import type { Call } from '../../components/snippets.ts';
import { StatusBadge } from '../../components/status-badge.tsx';

const PdfPages = lazy(async () => ({ default: (await import('./pdf-pages.tsx')).PdfPages }));

/** Shows the response in three tabs. */
export function ResponsePanel({ response, call }: { response: OperationResponse; call: Call }) {
  return (
    <section className="surface" style={{ padding: 20, minWidth: 0 }} aria-label="Response">
      <Group gap="sm" mb="sm" role="status">
        <StatusBadge status={response.status} text={response.statusText} />
        <Text size="sm" c="dimmed" className="tabular">
          {formatNumber(response.ms)} ms · {formatBytes(response.bytes)}
        </Text>
      </Group>
      <Tabs defaultValue="body" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="body">{response.body.kind === 'pdf' ? 'Pages' : 'Body'}</Tabs.Tab>
          <Tabs.Tab value="headers">Headers</Tabs.Tab>
          <Tabs.Tab value="code">Code</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="body">
          <Body body={response.body} />
        </Tabs.Panel>
        <Tabs.Panel value="headers">
          <Headers headers={response.headers} />
        </Tabs.Panel>
        <Tabs.Panel value="code">
          <SnippetTabs call={call} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

function Body({ body }: { body: OperationResponse['body'] }) {
  if (body.kind === 'pdf') return <PdfBody data={body.data} />;
  if (body.text === '') return <Text size="sm">The body is empty.</Text>;
  return (
    <CodeBlock
      code={body.text}
      label="the response"
      {...(body.kind === 'json' && { language: 'json' })}
      wrap
    />
  );
}

function PdfBody({ data }: { data: ArrayBuffer }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([data], { type: 'application/pdf' })), [data]);
  const last = useRef<string | null>(null);
  useEffect(() => {
    // Strict mode runs effects twice, so the URL is revoked only when it is replaced.
    if (last.current !== null && last.current !== url) URL.revokeObjectURL(last.current);
    last.current = url;
  }, [url]);
  return (
    <Stack gap="sm" align="stretch">
      <Button
        component="a"
        href={url}
        download="document.pdf"
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        style={{ alignSelf: 'flex-start' }}
      >
        Download PDF
      </Button>
      <Suspense fallback={<Skeleton height={420} radius="md" />}>
        <PdfPages key={url} data={data} />
      </Suspense>
    </Stack>
  );
}

function Headers({ headers }: { headers: [string, string][] }) {
  return (
    <Table layout="auto" aria-label="Response headers" verticalSpacing={6}>
      <Table.Tbody>
        {headers.map(([name, value]) => (
          <Table.Tr key={`${name} ${value}`}>
            <Table.Th scope="row" fw={500} fz="xs" ff="monospace" c="dimmed">
              {name}
            </Table.Th>
            <Table.Td fz="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function formatBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
