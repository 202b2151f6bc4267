/** The usage page: requests over time, response times, errors and months. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { keysQuery } from '../../api/queries.ts';
import { formatUsageCsvPath } from '../../api/usage-queries.ts';
import { Icon } from '../../components/icon.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useClock } from '../../components/relative-time.tsx';
import { ErrorsSection } from './errors-section.tsx';
import { LatencySection } from './latency-section.tsx';
import { MonthsSection } from './months-section.tsx';
import { QuotaSection } from './quota-section.tsx';
import { RequestsSection } from './requests-section.tsx';
import { UsageFilters } from './usage-filters.tsx';
import { computeUsageFilter, findUsageRange, KEPT_DAYS } from './usage-ranges.ts';
import type { UsageSelection } from './usage-selection.ts';
import classes from './usage.module.css';

/** Shows the usage. */
export function UsagePage() {
  const search = useSearch({ from: '/frame/usage' });
  const selection: UsageSelection = {
    range: findUsageRange(search),
    grouping: search.by === 'status' || search.by === 'key' ? search.by : 'operation',
    keyId: search.key,
    operation: search.operation,
  };
  const keys = useQuery(keysQuery).data ?? [];
  const by = selection.grouping === 'key' ? 'key' : 'operation';
  const filterAt = (nowMs: number) => computeUsageFilter(selection.range, { ...selection, by }, nowMs);
  const csvPath = useClock((nowMs) => formatUsageCsvPath(filterAt(nowMs)));
  const { range } = selection;
  const period =
    range.value === 'days' && 'firstDay' in range ? `${range.firstDay} ${range.lastDay}` : range.value;
  const name = [period, selection.keyId ?? '', selection.operation ?? ''];
  return (
    <>
      <PageHeader
        title="Usage"
        description={`All requests made with your keys, including rejected ones. Kept for ${KEPT_DAYS} days.`}
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
      <QuotaSection />
      <UsageFilters selection={selection} keys={keys} />
      <RequestsSection name={[...name, by]} filterAt={filterAt} grouping={selection.grouping} keys={keys} />
      <div className={classes.pair}>
        <LatencySection name={period} filterAt={filterAt} isFiltered={selection.keyId !== undefined} />
        <ErrorsSection name={name} filterAt={filterAt} keyId={selection.keyId} />
      </div>
      <MonthsSection />
    </>
  );
}
