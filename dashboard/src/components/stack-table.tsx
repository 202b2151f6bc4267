/** A table that becomes a list of cards in a narrow container. */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './stack-table.module.css';

/**
 * Shows `children`, which are <Row>s of <Cell>s. Roles are explicit because CSS display values remove them.
 */
export function StackTable({
  columns,
  label,
  numbers = false,
  children,
}: {
  columns: string[];
  label: string;
  /** All columns except the first are right-aligned numbers. */
  numbers?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={classes.container}>
      <Table
        className={`${classes.table ?? ''} ${numbers ? (classes.numbers ?? '') : ''}`}
        verticalSpacing="sm"
        role="table"
        aria-label={label}
        highlightOnHover
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map((column) => (
              <Table.Th key={column} role="columnheader" scope="col">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">{children}</Table.Tbody>
      </Table>
    </div>
  );
}

/** Shows one row of a StackTable. */
export function Row({ children }: { children: ReactNode }) {
  return <Table.Tr role="row">{children}</Table.Tr>;
}

/** Shows one cell. A card shows its label too, unless it is `wide`; `inline` cells share a line. */
export function Cell({
  label,
  wide = false,
  inline = false,
  children,
}: {
  label?: string;
  wide?: boolean;
  inline?: boolean;
  children: ReactNode;
}) {
  return (
    <Table.Td
      role="cell"
      data-label={wide ? undefined : label}
      data-wide={wide || undefined}
      data-inline={inline || undefined}
    >
      {children}
    </Table.Td>
  );
}
