/** The response times of the period: p95 and p50 over time, and the percentiles of each operation. */
import { SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type UsageFilter, usageLatencyQuery } from '../../api/usage-queries.ts';
import type { RouteResponse } from '../../api/types.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatDuration } from '../../components/format.ts';
import { getOperation, type Operation } from '../../components/operations.ts';
import { QueryState } from '../../components/page-states.tsx';
import { Section } from '../../components/section.tsx';
import { useServedOperations } from '../../components/served-operations.ts';
import { OperationName } from '../../components/state.tsx';
import { formatBucket, formatTick } from './bucket-labels.ts';
import { LineChart, LineLegend, type Point } from './line-chart.tsx';
import { listBucketStarts } from './usage-ranges.ts';
import classes from './usage.module.css';

type Latency = RouteResponse<'GET /account/usage/latency'>;
type OperationLatency = Latency['operations'][number];

/** Shows the chart of one operation. The times are of all keys, because the service counts them so. */
export function LatencySection({
  name,
  filterAt,
  isFiltered,
}: {
  name: string;
  filterAt: (nowMs: number) => UsageFilter;
  isFiltered: boolean;
}) {
  const latency = useQuery(usageLatencyQuery(name, filterAt));
  const { served } = useServedOperations();
  const [chosen, setChosen] = useState<Operation | null>(null);
  const busiest = latency.data?.operations.toSorted((one, other) => other.requests - one.requests)[0];
  const shown =
    served.find(({ id }) => id === (chosen ?? busiest?.operation)) ?? served[0] ?? getOperation(undefined);
  return (
    <Section
      title="Response time"
      {...(isFiltered && { description: 'Of all keys.' })}
      actions={
        <>
          <LineLegend color={shown.color} />
          <SegmentedControl
            aria-label="Operation of the response times"
            value={shown.id}
            onChange={(value) => setChosen(value)}
            data={served.map(({ id, short }) => ({ value: id, label: short }))}
          />
        </>
      }
    >
      <QueryState query={latency}>
        <Skeleton height={300} radius="md" />
      </QueryState>
      {latency.data && (
        <>
          <Lines latency={latency.data} operation={shown.id} short={shown.short} color={shown.color} />
          <Percentiles operations={latency.data.operations} />
        </>
      )}
    </Section>
  );
}

function Lines({
  latency,
  operation,
  short,
  color,
}: {
  latency: Latency;
  operation: string;
  short: string;
  color: string;
}) {
  const own = latency.operations.find((each) => each.operation === operation);
  if (own === undefined) return <p className={classes.none}>No {short} requests in this period</p>;
  const known = new Map(own.points.map((point) => [Date.parse(point.start), point]));
  const starts = listBucketStarts(latency.from, latency.to, latency.bucket);
  const points = starts.map((start): Point => {
    const point = known.get(start);
    return {
      title: formatBucket(start, latency.bucket),
      tick: formatTick(start, latency.bucket, starts.length),
      upper: point?.p95_ms ?? null,
      lower: point?.p50_ms ?? null,
    };
  });
  const label = `${short}: p95 ${formatTime(own.p95_ms)} and p50 ${formatTime(own.p50_ms)} in this period`;
  return <LineChart label={label} color={color} points={points} />;
}

function Percentiles({ operations }: { operations: OperationLatency[] }) {
  const { served } = useServedOperations();
  const rows = served.map(
    ({ id }): Omit<OperationLatency, 'points'> =>
      operations.find(({ operation }) => operation === id) ?? {
        operation: id,
        requests: 0,
        p50_ms: null,
        p95_ms: null,
        p99_ms: null,
      },
  );
  return (
    <DataTable
      dense
      label="Response times by operation"
      rows={rows}
      getKey={({ operation }) => operation}
      columns={[
        {
          key: 'operation',
          header: 'Operation',
          strong: true,
          narrow: 'title',
          render: ({ operation }) => <OperationName operation={operation} />,
        },
        { key: 'p50', header: 'p50', number: true, render: ({ p50_ms: ms }) => formatTime(ms) },
        {
          key: 'p95',
          header: 'p95',
          number: true,
          narrow: 'aside',
          render: ({ p95_ms: ms }) => (
            <span className="nowrap">
              <span className="narrow-only dim">p95 </span>
              {formatTime(ms)}
            </span>
          ),
        },
        { key: 'p99', header: 'p99', number: true, render: ({ p99_ms: ms }) => formatTime(ms) },
      ]}
    />
  );
}

function formatTime(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms);
}
