/** The numbers of a chart as a table, below it and closed at first. */
import { useState } from 'react';
import type { Bar, Series } from './bar-chart.tsx';
import classes from './chart-numbers.module.css';
import { DataTable } from './data-table.tsx';
import { formatNumber } from './format.ts';

/** Shows a button that opens the table. `first` is the heading of the column of bars: "Hour". */
export function ChartNumbers({
  label,
  first,
  series,
  bars,
}: {
  label: string;
  first: string;
  series: readonly Series[];
  bars: readonly Bar[];
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`focus ${classes.toggle ?? ''}`}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? 'Hide the numbers' : 'Show the numbers'}
      </button>
      {isOpen && (
        // A scrollable region must be focusable (axe: scrollable-region-focusable).
        <div className={`focus ${classes.numbers ?? ''}`} tabIndex={0} role="region" aria-label={label}>
          <DataTable
            dense
            label={label}
            rows={bars}
            getKey={({ title }) => title}
            columns={[
              { key: 'title', header: first, strong: true, narrow: 'title', render: ({ title }) => title },
              ...series.map(({ name }, index) => ({
                key: name,
                header: name,
                number: true,
                render: ({ values }: Bar) => formatNumber(values[index] ?? 0),
              })),
              { key: 'all', header: 'All', number: true, narrow: 'aside' as const, render: formatSum },
            ]}
          />
        </div>
      )}
    </>
  );
}

function formatSum({ values }: Bar): string {
  return formatNumber(values.reduce((sum, value) => sum + value, 0));
}
