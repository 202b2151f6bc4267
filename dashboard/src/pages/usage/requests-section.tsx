/** The requests of the period as bars, with the totals of each series. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Bucket, Key, Usage } from '../../api/types.ts';
import { type UsageFilter, usageQuery } from '../../api/usage-queries.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import chartClasses from '../../components/bar-chart.module.css';
import { ChartNumbers } from '../../components/chart-numbers.tsx';
import { Empty } from '../../components/empty.tsx';
import { formatCount, formatNumber } from '../../components/format.ts';
import { QueryState } from '../../components/page-states.tsx';
import { Section } from '../../components/section.tsx';
import { Swatch } from '../../components/state.tsx';
import { computeBars, computeSeries, computeSums, type Grouping, type UsageSeries } from './usage-series.ts';
import { UsageTable } from './usage-table.tsx';
import classes from './usage.module.css';

const PER: Record<Bucket, string> = { minute: 'minute', hour: 'hour', day: 'day' };

/** Shows the chart, or what will be here. */
export function RequestsSection({
  name,
  filterAt,
  grouping,
  keys,
}: {
  name: readonly string[];
  filterAt: (nowMs: number) => UsageFilter;
  grouping: Grouping;
  keys: Key[];
}) {
  const usage = useQuery(usageQuery(name, filterAt));
  return (
    <div className={classes.requests} data-old={usage.isPlaceholderData || undefined}>
      <QueryState query={usage}>
        <Skeleton height={330} radius="md" />
      </QueryState>
      {usage.data && <Chart usage={usage.data} grouping={grouping} keys={keys} />}
    </div>
  );
}

function Chart({ usage, grouping, keys }: { usage: Usage; grouping: Grouping; keys: Key[] }) {
  const { requests, errors } = usage.totals;
  const summary = `${formatCount(requests, 'request')}, ${formatNumber(errors)} of them ${errors === 1 ? 'an error' : 'errors'}`;
  if (requests === 0) return <NoRequests />;
  // While another grouping loads, the old rows keep their own grouping.
  const rowsBy = usage.rows[0]?.key_id === undefined ? 'operation' : 'key';
  const shown = rowsBy === 'key' ? 'key' : grouping === 'key' ? 'operation' : grouping;
  const series = computeSeries(usage.rows, shown, keys);
  const bars = computeBars(usage, shown, series);
  const per = PER[usage.bucket];
  return (
    <>
      <Section title="Requests" hiddenTitle>
        <div className={classes.legendLine}>
          <SeriesTotals series={series} sums={computeSums(bars)} />
          <span className="dim">
            {summary}. Requests per {per}, UTC
          </span>
        </div>
        <BarChart label={`Requests per ${per}: ${summary}`} series={series} bars={bars} height={270} />
        <ChartNumbers label={`Requests per ${per}`} first={`${per}, UTC`} series={series} bars={bars} />
      </Section>
      <UsageTable rows={usage.rows} by={rowsBy} keys={keys} />
    </>
  );
}

function SeriesTotals({ series, sums }: { series: readonly UsageSeries[]; sums: readonly number[] }) {
  return (
    <ul className={chartClasses.legend} aria-label="Colors">
      {series.map(({ id, name, color }, index) => (
        <li key={id}>
          <Swatch color={color} />
          {name} <span className="strong tabular">{formatNumber(sums[index] ?? 0)}</span>
        </li>
      ))}
    </ul>
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
