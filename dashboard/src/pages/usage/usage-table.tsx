/** The same usage as numbers: what the chart says, for those who cannot or will not read a chart. */
import type { UsageRow } from '../../api/types.ts';
import { OPERATIONS } from '../../components/operations.ts';
import { Section } from '../../components/section.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';

const CLASSES = ['2xx', '4xx', '5xx'] as const;

/** Operations down, status classes across, sums at the end. */
export function UsageTable({ rows }: { rows: UsageRow[] }) {
  const count = (operation: string, statusClass?: string) =>
    rows
      .filter(
        (row) =>
          row.operation === operation && (statusClass === undefined || row.status_class === statusClass),
      )
      .reduce((sum, row) => sum + row.count, 0)
      .toLocaleString('en');
  return (
    <Section title="In numbers" padded={false}>
      <StackTable label="Requests by operation and status" columns={['Operation', ...CLASSES, 'All']}>
        {OPERATIONS.map(({ id, title }) => (
          <Row key={id}>
            <Cell wide>{title}</Cell>
            {CLASSES.map((statusClass) => (
              <Cell key={statusClass} label={statusClass}>
                <span className="tabular">{count(id, statusClass)}</span>
              </Cell>
            ))}
            <Cell label="All">
              <strong className="tabular">{count(id)}</strong>
            </Cell>
          </Row>
        ))}
      </StackTable>
    </Section>
  );
}
