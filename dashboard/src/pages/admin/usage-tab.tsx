/** The usage of all accounts together, and of those with the most requests. */
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminUsageQuery, type AllUsage } from '../../api/admin-queries.ts';
import { type Bar, BarChart } from '../../components/bar-chart.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Figure, Figures } from '../../components/figures.tsx';
import { formatNumber, formatPercent } from '../../components/format.ts';
import { getLoggedOperation, NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { Section } from '../../components/section.tsx';
import { Legend } from '../../components/sparkline.tsx';
import classes from './admin-page.module.css';
import { useAdminState } from './admin-state.ts';
import { computeBars } from './usage-bars.ts';

type BucketChoice = 'hour' | 'day';

/** Shows the last 24 hours or 30 days. */
export function UsageTab() {
  const [bucket, setBucket] = useState<BucketChoice>('hour');
  const usage = useQuery(adminUsageQuery(bucket));
  return (
    <div className={classes.panel}>
      <SegmentedControl
        aria-label="Period"
        value={bucket}
        onChange={setBucket}
        data={[
          { value: 'hour', label: '24 hours' },
          { value: 'day', label: '30 days' },
        ]}
      />
      <QueryState query={usage}>
        <RowsLoading rows={6} />
      </QueryState>
      {usage.data && <UsageReport usage={usage.data} />}
    </div>
  );
}

function UsageReport({ usage }: { usage: AllUsage }) {
  const { totals } = usage;
  if (totals.requests === 0)
    return <Empty title="No requests in this period">Requests of all accounts are counted here.</Empty>;
  const series = [...OPERATIONS, NO_OPERATION].filter(({ id }) =>
    totals.operations.some(({ operation, requests }) => operation === id && requests > 0),
  );
  const bars: Bar[] = computeBars(
    usage,
    series.map(({ id }) => id),
  );
  return (
    <>
      <Section title="Requests" hiddenTitle>
        <Figures>
          <Figure label="Requests" value={formatNumber(totals.requests)} />
          <Figure label="Errors" value={formatPercent(totals.errors / totals.requests)} />
          <Figure label="Accounts in use" value={formatNumber(usage.accounts)} />
        </Figures>
      </Section>
      <Section title="By operation">
        <div className={classes.chart}>
          <BarChart
            label="Requests of all accounts by operation"
            series={series.map(({ short, color }) => ({ name: short, color }))}
            bars={bars}
          />
          <Legend series={series.map(({ short, color }) => ({ name: short, color }))} />
        </div>
        <DataTable
          label="Requests by operation"
          columns={OPERATION_COLUMNS}
          rows={totals.operations}
          getKey={({ operation }) => operation}
        />
      </Section>
      <Section title="Accounts with the most requests">
        <TopAccounts usage={usage} />
      </Section>
    </>
  );
}

interface Counts {
  requests: number;
  errors: number;
}

const COUNT_COLUMNS: readonly Column<Counts>[] = [
  {
    key: 'errors',
    header: 'Errors',
    number: true,
    narrow: 'noteAside',
    render: ({ errors, requests }) => formatPercent(requests === 0 ? 0 : errors / requests),
  },
  {
    key: 'requests',
    header: 'Requests',
    number: true,
    strong: true,
    narrow: 'aside',
    render: ({ requests }) => formatNumber(requests),
  },
];

const OPERATION_COLUMNS: readonly Column<AllUsage['totals']['operations'][number]>[] = [
  {
    key: 'operation',
    header: 'Operation',
    narrow: 'title',
    render: ({ operation }) => getLoggedOperation(operation).short,
  },
  ...COUNT_COLUMNS,
];

type TopAccount = AllUsage['top_accounts'][number];

const ACCOUNT_COLUMNS: readonly Column<TopAccount>[] = [
  {
    key: 'email',
    header: 'Account',
    strong: true,
    narrow: 'title',
    render: ({ email }) => email ?? 'Deleted account',
  },
  { key: 'plan', header: 'Plan', narrow: 'note', render: ({ plan }) => plan ?? '–' },
  ...COUNT_COLUMNS,
];

function TopAccounts({ usage }: { usage: AllUsage }) {
  const { change } = useAdminState();
  return (
    <DataTable
      label="Accounts with the most requests"
      columns={ACCOUNT_COLUMNS}
      rows={usage.top_accounts}
      getKey={({ id }) => id}
      onSelect={({ id, email }) => email !== null && change({ tab: 'accounts', account: id })}
    />
  );
}
