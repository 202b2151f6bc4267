/** The usage page: requests by operation, status or key, over an hour to ninety days. */
import { Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { keysQuery, formatUsageCsvPath, usageQuery } from '../../api/queries.ts';
import type { Key, Usage } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { formatCount, formatNumber } from '../../components/format.ts';
import { KeyFilter } from '../../components/key-filter.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty } from '../../components/empty.tsx';
import { QueryState } from '../../components/page-states.tsx';
import { useClock } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { computeUsageFilter, findUsageRange, USAGE_RANGES, type UsageRange } from './usage-ranges.ts';
import { computeBars, type Grouping, computeSeries } from './usage-series.ts';
import { UsageTable } from './usage-table.tsx';

const UsageChart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }));

/** Shows the usage. The selection is part of the URL. */
export function UsagePage() {
  const search = useSearch({ from: '/frame/usage' });
  const range = findUsageRange(search.range);
  const grouping: Grouping = search.by === 'status' || search.by === 'key' ? search.by : 'operation';
  const by = grouping === 'key' ? 'key' : 'operation';
  const keys = useQuery(keysQuery).data ?? [];
  const filterAt = (nowMs: number) => computeUsageFilter(range, { keyId: search.key, by }, nowMs);
  const csvPath = useClock((nowMs) => formatUsageCsvPath(filterAt(nowMs)));
  const usage = useQuery(usageQuery([range.value, by, search.key ?? 'all'], filterAt));
  return (
    <>
      <PageHeader
        title="Usage"
        description="All requests made with your keys, including rejected ones. Kept for 90 days."
      >
        <Button
          component="a"
          href={csvPath}
          download
          variant="default"
          leftSection={<Icon name="download" size={16} />}
        >
          Download CSV
        </Button>
      </PageHeader>
      <Filters range={range} grouping={grouping} keyId={search.key} keys={keys} />
      <UsageView usage={usage} range={range} grouping={grouping} keys={keys} />
    </>
  );
}

function Filters({
  range,
  grouping,
  keyId,
  keys,
}: {
  range: UsageRange;
  grouping: Grouping;
  keyId: string | undefined;
  keys: Key[];
}) {
  const navigate = useNavigate({ from: '/usage' });
  const choose = (change: { range?: string; by?: string; key?: string | undefined }) =>
    void navigate({ search: (last) => ({ ...last, ...change }), replace: true });
  return (
    <Group mb="md" gap="sm" align="flex-end">
      <SegmentedControl
        aria-label="Range"
        value={range.value}
        onChange={(value) => choose({ range: value })}
        data={USAGE_RANGES.map(({ value, label }) => ({ value, label }))}
      />
      <SegmentedControl
        aria-label="Stack the bars by"
        value={grouping}
        onChange={(by) => choose({ by })}
        data={[
          { value: 'operation', label: 'By operation' },
          { value: 'status', label: 'By status' },
          { value: 'key', label: 'By key' },
        ]}
      />
      <KeyFilter
        keys={keys}
        value={keyId}
        onChange={(key) => choose({ key })}
        w={{ base: '100%', xs: 260 }}
      />
    </Group>
  );
}

function UsageView({
  usage,
  range,
  grouping,
  keys,
}: {
  usage: {
    data: Usage | undefined;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
    isPlaceholderData: boolean;
  };
  range: UsageRange;
  grouping: Grouping;
  keys: Key[];
}) {
  if (usage.data === undefined) {
    return (
      <QueryState query={usage}>
        <Skeleton height={380} radius="lg" />
      </QueryState>
    );
  }
  const { requests, errors } = usage.data.totals;
  const summary = `${formatCount(requests, 'request')}, ${formatNumber(errors)} of them ${errors === 1 ? 'an error' : 'errors'}`;
  // While another grouping loads, the old rows keep their own grouping.
  const rowsBy = usage.data.rows[0]?.key_id === undefined ? 'operation' : 'key';
  const shown = rowsBy === 'key' ? 'key' : grouping === 'key' ? 'operation' : grouping;
  const series = computeSeries(usage.data.rows, shown, keys);
  return (
    <Stack gap="lg" style={{ opacity: usage.isPlaceholderData ? 0.6 : 1 }}>
      <QueryState query={usage} />
      <Section title={formatTitle(range)} description={summary}>
        {requests === 0 ? (
          <NoRequests />
        ) : (
          <Suspense fallback={<Skeleton height={300} radius="md" />}>
            <UsageChart
              bars={computeBars(usage.data, shown, series)}
              series={series}
              label={`Chart: ${summary}`}
            />
          </Suspense>
        )}
        <Text size="xs" c="dimmed" mt="xs">
          {range.bucket === 'day' ? 'Days are counted in UTC.' : 'Times are in your time zone.'}
        </Text>
      </Section>
      {requests > 0 && <UsageTable rows={usage.data.rows} by={rowsBy} keys={keys} />}
    </Stack>
  );
}

function NoRequests() {
  return (
    <Empty
      title="No requests in this period"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/try" {...props} />}>
          Try an operation
        </Button>
      }
    >
      Requests with your keys appear here.
    </Empty>
  );
}

function formatTitle({ label, value }: UsageRange): string {
  return value === '1h' || value === '24h' || value === '7d'
    ? `Last ${label.toLowerCase()}`
    : `Last ${label}`;
}
