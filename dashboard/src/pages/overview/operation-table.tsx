/** The operations with their figures of today and their last 24 hours. */
import type { Overview } from '../../api/types.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatDuration, formatNumber, formatPercent } from '../../components/format.ts';
import { getLoggedOperation } from '../../components/operations.ts';
import { Section } from '../../components/section.tsx';
import { useServedOperations } from '../../components/served-operations.ts';
import { Sparkline } from '../../components/sparkline.tsx';
import { OperationName } from '../../components/state.tsx';
import classes from './overview.module.css';

type Row = Overview['operations'][number];

/** Shows a row per operation that this server serves or that was called today. */
export function OperationTable({ operations }: { operations: readonly Row[] }) {
  const { served } = useServedOperations();
  const others = operations.filter(({ operation }) => served.every(({ id }) => id !== operation));
  const rows = [
    ...served.map(({ id }) => operations.find(({ operation }) => operation === id) ?? createRow(id)),
    ...others,
  ];
  return (
    <Section title="By operation" hiddenTitle>
      <DataTable
        label="Today by operation"
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
          {
            key: 'requests',
            header: 'Requests',
            number: true,
            strong: true,
            narrow: 'aside',
            render: ({ requests }) => <Labeled after="requests">{formatNumber(requests)}</Labeled>,
          },
          {
            key: 'errors',
            header: 'Errors',
            number: true,
            narrow: 'note',
            render: ({ requests, errors }) => (
              <Labeled after="errors">{requests === 0 ? '–' : formatPercent(errors / requests)}</Labeled>
            ),
          },
          { key: 'p50', header: 'p50', number: true, render: ({ p50_ms: ms }) => formatTime(ms) },
          {
            key: 'p95',
            header: 'p95',
            number: true,
            narrow: 'noteAside',
            render: ({ p95_ms: ms }) => <Labeled before="p95">{formatTime(ms)}</Labeled>,
          },
          {
            key: 'trend',
            header: 'Last 24 hours',
            hideHeader: true,
            number: true,
            render: ({ operation, by_hour: values }) => (
              <span className={classes.trend}>
                <Sparkline values={values} color={getLoggedOperation(operation).color} />
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** Shows a value that has its column's name beside it if the row has two lines. */
function Labeled({ before, after, children }: { before?: string; after?: string; children: string }) {
  return (
    <span className="nowrap">
      {before !== undefined && <span className="narrow-only dim">{before} </span>}
      {children}
      {after !== undefined && <span className="narrow-only dim"> {after}</span>}
    </span>
  );
}

function formatTime(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms);
}

function createRow(operation: string): Row {
  return { operation, requests: 0, errors: 0, p50_ms: null, p95_ms: null, by_hour: [] };
}
