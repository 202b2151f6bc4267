/** A table that becomes a list of small cards where its place is narrow. */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './stack-table.module.css';

/** `columns` are the heads; each cell of `children` is a <Cell>. Roles are spelt out because CSS display values take them away. */
export function StackTable({
  columns,
  label,
  numbers = false,
  children,
}: {
  columns: string[];
  label: string;
  /** Every column but the first holds numbers: they stand at the right. */
  numbers?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={classes.place}>
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

/** One row of a StackTable. */
export function Row({ children }: { children: ReactNode }) {
  return <Table.Tr role="row">{children}</Table.Tr>;
}

/** One cell: its column's name is shown before it there, unless it is `wide`; several that are `inline` share a line. */
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
