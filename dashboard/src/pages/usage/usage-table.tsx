/** The numbers of the usage chart as a table. */
import { Text } from '@mantine/core';
import type { Key, UsageRow } from '../../api/types.ts';
import { formatNumber } from '../../components/format.ts';
import { NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { Section } from '../../components/section.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { formatKeyLabel, computeTotals } from './usage-series.ts';

const CLASSES = ['2xx', '4xx', '5xx'] as const;

/** Shows a row per operation, or per key with the busiest first, and a column per status class. */
export function UsageTable({ rows, by, keys }: { rows: UsageRow[]; by: 'operation' | 'key'; keys: Key[] }) {
  const groups = by === 'key' ? listKeyGroups(rows, keys) : listOperationGroups(rows);
  const name = by === 'key' ? 'Key' : 'Operation';
  return (
    <Section title="Totals">
      <StackTable
        label={`Requests by ${name.toLowerCase()} and status`}
        columns={[name, ...CLASSES, 'Total']}
        numbers
      >
        {groups.map(({ id, title }) => {
          const own = rows.filter((row) => (by === 'key' ? row.key_id : row.operation) === id);
          const counts = computeTotals(own, 'status');
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
                  <span className="tabular">{formatNumber(counts.get(statusClass) ?? 0)}</span>
                </Cell>
              ))}
              <Cell label="Total" inline>
                <strong className="tabular">{formatNumber(all)}</strong>
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

function listOperationGroups(rows: UsageRow[]): Group[] {
  const hasNone = rows.some(({ operation }) => operation === NO_OPERATION.id);
  return hasNone ? [...OPERATIONS, NO_OPERATION] : [...OPERATIONS];
}

function listKeyGroups(rows: UsageRow[], keys: Key[]): Group[] {
  return [...computeTotals(rows, 'key')]
    .toSorted(([, one], [, other]) => other - one)
    .map(([id]) => ({ id, title: formatKeyLabel(keys, id) }));
}
