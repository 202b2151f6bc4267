/** The totals of each calendar month. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RouteResponse } from '../../api/types.ts';
import { usageMonthsQuery } from '../../api/usage-queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatNumber, formatPercent } from '../../components/format.ts';
import { OPERATIONS } from '../../components/operations.ts';
import { QueryState } from '../../components/page-states.tsx';
import { Section } from '../../components/section.tsx';

type Month = RouteResponse<'GET /account/usage/months'>['months'][number];

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Shows a row per month, newest first. */
export function MonthsSection() {
  const months = useQuery(usageMonthsQuery);
  const current = months.data?.[0]?.start;
  return (
    <Section title="Months" description="Units are what the rate limit counts: a batch is one per item.">
      <QueryState query={months}>
        <Skeleton height={120} radius="md" />
      </QueryState>
      {months.data && (
        <DataTable
          label="Requests by month"
          rows={months.data}
          getKey={({ start }) => start}
          columns={[
            {
              key: 'month',
              header: 'Month, UTC',
              strong: true,
              narrow: 'title',
              render: ({ start }) => (
                <span className="nowrap">
                  {monthFormat.format(new Date(start))}
                  {start === current && <span className="dim">, so far</span>}
                </span>
              ),
            },
            ...OPERATIONS.map(({ id, short }) => ({
              key: id,
              header: short,
              number: true,
              render: ({ operations }: Month) =>
                formatNumber(operations.find(({ operation }) => operation === id)?.requests ?? 0),
            })),
            {
              key: 'requests',
              header: 'Requests',
              number: true,
              strong: true,
              narrow: 'aside',
              render: ({ requests }) => formatNumber(requests),
            },
            {
              key: 'errors',
              header: 'Errors',
              number: true,
              narrow: 'note',
              render: ({ requests, errors }) => (
                <>
                  {requests === 0 ? '–' : formatPercent(errors / requests)}
                  <span className="narrow-only dim"> errors</span>
                </>
              ),
            },
            {
              key: 'units',
              header: 'Units',
              number: true,
              narrow: 'noteAside',
              render: ({ units }) => (
                <>
                  {formatNumber(units)}
                  <span className="narrow-only dim"> units</span>
                </>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}
