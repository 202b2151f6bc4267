/** The totals of the period by operation or key, and status. */
import type { Key, UsageRow } from '../../api/types.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatNumber } from '../../components/format.ts';
import { getLoggedOperation, NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { Section } from '../../components/section.tsx';
import { OperationName } from '../../components/state.tsx';
import { computeTotals, formatKeyLabel } from './usage-series.ts';

const CLASSES = ['2xx', '4xx', '5xx'] as const;

interface Row {
  id: string;
  title: string;
  counts: Map<string, number>;
  total: number;
}

/** Shows a row per operation, or per key with the busiest first, and a column per status class. */
export function UsageTable({ rows, by, keys }: { rows: UsageRow[]; by: 'operation' | 'key'; keys: Key[] }) {
  const groups = by === 'key' ? listKeyGroups(rows, keys) : listOperationGroups(rows);
  const name = by === 'key' ? 'Key' : 'Operation';
  const shown = groups.map(({ id, title }): Row => {
    const own = rows.filter((row) => (by === 'key' ? row.key_id : row.operation) === id);
    return { id, title, counts: computeTotals(own, 'status'), total: sumCounts(own) };
  });
  return (
    <Section title="Totals">
      <DataTable
        label={`Requests by ${name.toLowerCase()} and status`}
        rows={shown}
        getKey={({ id }) => id}
        columns={[
          {
            key: 'name',
            header: name,
            strong: true,
            narrow: 'title',
            render: ({ id, title }) => (by === 'key' ? title : <OperationName operation={id} />),
          },
          ...CLASSES.map((statusClass) => ({
            key: statusClass,
            header: statusClass,
            number: true,
            render: ({ counts }: Row) => formatNumber(counts.get(statusClass) ?? 0),
          })),
          {
            key: 'total',
            header: 'Total',
            number: true,
            strong: true,
            narrow: 'aside',
            render: ({ total }) => formatNumber(total),
          },
        ]}
      />
    </Section>
  );
}

function sumCounts(rows: readonly UsageRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function listOperationGroups(rows: UsageRow[]): { id: string; title: string }[] {
  const hasNone = rows.some(({ operation }) => operation === NO_OPERATION.id);
  const shown = hasNone ? [...OPERATIONS, NO_OPERATION] : OPERATIONS;
  return shown.map(({ id }) => ({ id, title: getLoggedOperation(id).short }));
}

function listKeyGroups(rows: UsageRow[], keys: Key[]): { id: string; title: string }[] {
  return [...computeTotals(rows, 'key')]
    .toSorted(([, one], [, other]) => other - one)
    .map(([id]) => ({ id, title: formatKeyLabel(keys, id) }));
}
