/** The same usage as numbers: what the chart says, for those who cannot or will not read a chart. */
import { Text } from '@mantine/core';
import type { Key, UsageRow } from '../../api/types.ts';
import { NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { Section } from '../../components/section.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { keyLabel, totalsOf } from './usage-series.ts';

const CLASSES = ['2xx', '4xx', '5xx'] as const;

/** Operations, or keys with the busiest first, down; status classes across; sums at the end. */
export function UsageTable({ rows, by, keys }: { rows: UsageRow[]; by: 'operation' | 'key'; keys: Key[] }) {
  const groups = by === 'key' ? keyGroups(rows, keys) : operationGroups(rows);
  const name = by === 'key' ? 'Key' : 'Operation';
  return (
    <Section title="In numbers" padded={false}>
      <StackTable
        label={`Requests by ${name.toLowerCase()} and status`}
        columns={[name, ...CLASSES, 'All']}
        numbers
      >
        {groups.map(({ id, title }) => {
          const own = rows.filter((row) => (by === 'key' ? row.key_id : row.operation) === id);
          const counts = totalsOf(own, 'status');
          const all = own.reduce((sum, { count }) => sum + count, 0);
          return (
            <Row key={id}>
              <Cell wide>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {title}
                </Text>
              </Cell>
              {CLASSES.map((statusClass) => (
                <Cell key={statusClass} label={statusClass} inline>
                  <span className="tabular">{(counts.get(statusClass) ?? 0).toLocaleString('en')}</span>
                </Cell>
              ))}
              <Cell label="All" inline>
                <strong className="tabular">{all.toLocaleString('en')}</strong>
              </Cell>
            </Row>
          );
        })}
      </StackTable>
    </Section>
  );
}

interface Group {
  id: string;
  title: string;
}

function operationGroups(rows: UsageRow[]): Group[] {
  const strays = rows.some(({ operation }) => operation === NO_OPERATION.id);
  return strays ? [...OPERATIONS, NO_OPERATION] : [...OPERATIONS];
}

function keyGroups(rows: UsageRow[], keys: Key[]): Group[] {
  return [...totalsOf(rows, 'key')]
    .toSorted(([, one], [, other]) => other - one)
    .map(([id]) => ({ id, title: keyLabel(keys, id) }));
}
