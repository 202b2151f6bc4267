/** The state of the process and its parts. */
import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { adminHealthQuery, type SystemHealth } from '../../api/admin-queries.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { formatBytes, formatCount, formatExact, formatNumber } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { formatMs, formatUptime } from './describe-health.ts';

/** Shows the process, its parts, and the queues of what it shares out. */
export function HealthTab() {
  const health = useQuery(adminHealthQuery);
  if (!health.data) {
    return (
      <QueryState query={health}>
        <RowsLoading rows={6} />
      </QueryState>
    );
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={48} verticalSpacing={0}>
        <Section title="Process" description="Of the replica that responded.">
          <ProcessFacts health={health.data} />
        </Section>
        <Section title="Parts" description="What it depends on.">
          <PartFacts parts={health.data.parts} />
        </Section>
      </SimpleGrid>
      <Section title="Shares" description="What accounts use at once, and how many requests wait for it.">
        <DataTable
          label="Shares"
          columns={QUEUE_COLUMNS}
          rows={health.data.queues}
          getKey={({ kind }) => kind}
        />
      </Section>
    </>
  );
}

function ProcessFacts({ health }: { health: SystemHealth }) {
  const { event_loop: loop } = health;
  return (
    <Facts>
      <Fact label="Version">{health.version}</Fact>
      <Fact label="Node.js">{health.node_version}</Fact>
      <Fact label="Started">
        {formatExact(health.started_at)} ({formatUptime(health.uptime_seconds)})
      </Fact>
      <Fact label="Memory">{formatBytes(health.memory_bytes)}</Fact>
      <Fact label="Event loop">
        {`p50 ${formatMs(loop.p50_ms)}, p99 ${formatMs(loop.p99_ms)}, most ${formatMs(loop.max_ms)}`}
      </Fact>
      <Fact label="Uncaught errors">{formatNumber(health.uncaught_errors)}</Fact>
      <Fact label="Log">
        {health.parts.log.dropped_lines === 0
          ? 'No lines dropped'
          : `${formatCount(health.parts.log.dropped_lines, 'line')} dropped`}
      </Fact>
    </Facts>
  );
}

function PartFacts({ parts }: { parts: SystemHealth['parts'] }) {
  const { database, redis, browser, dns, lists, usage, mail } = parts;
  return (
    <Facts>
      <Fact label="Database">
        {database.reason ??
          [database.kind, database.bytes && formatBytes(database.bytes)].filter(Boolean).join(', ')}
      </Fact>
      <Fact label="Redis">
        {redis ? (redis.reason ?? formatCount(redis.replicas, 'replica')) : 'Not in use'}
      </Fact>
      <Fact label="Chromium">{browser ? (browser.reason ?? describeBrowser(browser)) : 'Not in use'}</Fact>
      <Fact label="DNS">{dns.servers.length === 0 ? 'Of the system' : dns.servers.join(', ')}</Fact>
      <Fact label="Lists">
        {formatCount(lists.entries, 'domain')} in {formatCount(lists.lists, 'list')},{' '}
        {lists.refreshed_at !== null && 'refreshed '}
        <RelativeTime iso={lists.refreshed_at} none="none fetched" />
      </Fact>
      <Fact label="Counts">
        {usage.unwritten_since === null ? 'Written' : 'Cannot be written'},{' '}
        {formatCount(usage.buffered_rows, 'row')} in memory, {formatNumber(usage.lost_rows)} lost
      </Fact>
      <Fact label="Mail">{mail.configured ? 'Configured' : 'Not configured: links are in the log'}</Fact>
    </Facts>
  );
}

function describeBrowser(browser: NonNullable<SystemHealth['parts']['browser']>): string {
  return [
    browser.version ?? 'not started',
    browser.sandbox ? 'sandbox on' : 'sandbox off',
    `network ${browser.network}`,
    `${browser.busy} of ${browser.slots} renders, ${browser.queued} waiting`,
  ].join(', ');
}

type Queue = SystemHealth['queues'][number];

const KINDS: Record<string, string> = {
  bodyBytes: 'Request bodies',
  emailRequests: 'Requests: email',
  metadataRequests: 'Requests: metadata',
  pdfRequests: 'Requests: PDF',
  pageConnections: 'Page connections',
  browserPages: 'Renders',
  dnsLookups: 'DNS lookups of batches',
  parserThreads: 'Threads for large bodies',
};

const formatAmount = (kind: string, amount: number): string =>
  kind === 'bodyBytes' ? formatBytes(amount) : formatNumber(amount);

const QUEUE_COLUMNS: readonly Column<Queue>[] = [
  { key: 'kind', header: 'Share', strong: true, narrow: 'title', render: ({ kind }) => KINDS[kind] ?? kind },
  {
    key: 'meter',
    header: 'In use',
    render: ({ kind, held, capacity }) => <Meter used={held} limit={capacity} label={KINDS[kind] ?? kind} />,
  },
  {
    key: 'held',
    header: 'Held',
    number: true,
    narrow: 'aside',
    render: ({ kind, held, capacity }) => `${formatAmount(kind, held)} of ${formatAmount(kind, capacity)}`,
  },
  {
    key: 'queued',
    header: 'Waiting',
    number: true,
    narrow: 'noteAside',
    render: ({ queued }) => formatNumber(queued),
  },
];
