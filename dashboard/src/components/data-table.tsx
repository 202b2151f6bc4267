/** A dense table that is sorted and filtered by its page. One line a row; two lines below 48em. */
import { Table, VisuallyHidden } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './data-table.module.css';

/** One column. `header` is shown to screen readers only if `hideHeader` is set. */
export interface Column<Row> {
  key: string;
  header: string;
  hideHeader?: boolean;
  render: (row: Row) => ReactNode;
  /** Right-aligned, with digits of equal width. */
  number?: boolean;
  /** In the color of headings. */
  strong?: boolean;
  /** The place in a row of two lines; without one, the cell is hidden there. */
  narrow?: 'title' | 'aside' | 'note' | 'noteAside' | 'actions';
}

/** The rows, and what can be done with them. */
export interface DataTableProps<Row> {
  /** For screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** Rows of 32 px, for logs. */
  dense?: boolean;
  /** From edge to edge of the sheet, or of the list of <WithInspector>. Not inside a grid or a drawer. */
  edge?: boolean;
  /** Makes rows pressable: a click, Enter or Space selects one. */
  onSelect?: (row: Row) => void;
  selectedKey?: string | undefined;
  /** Fades a row, such as a revoked key. */
  isEnded?: (row: Row) => boolean;
}

/** Shows the rows. Roles are explicit because CSS display values remove them. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, getKey, dense = false, edge = false } = props;
  return (
    <div className={edge ? `bleed ${classes.scroll ?? ''}` : classes.scroll}>
      <Table
        unstyled
        className={`${classes.table ?? ''} ${edge ? (classes.edge ?? '') : ''}`}
        data-dense={dense || undefined}
        role="table"
        aria-label={label}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ key, header, hideHeader, number }) => (
              <Table.Th
                key={key}
                role="columnheader"
                scope="col"
                data-column={key}
                data-number={number || undefined}
              >
                {hideHeader === true ? <VisuallyHidden>{header}</VisuallyHidden> : header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <TableRow key={getKey(row)} row={row} table={props} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function TableRow<Row>({ row, table }: { row: Row; table: DataTableProps<Row> }) {
  const { columns, getKey, onSelect, selectedKey, isEnded } = table;
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    onSelect?.(row);
  };
  const pressable = onSelect && {
    tabIndex: 0,
    'data-pressable': true,
    'aria-selected': getKey(row) === selectedKey,
    onClick: () => onSelect(row),
    onKeyDown: press,
  };
  return (
    <Table.Tr role="row" className="focus" data-ended={isEnded?.(row) || undefined} {...pressable}>
      {columns.map(({ key, render, number, strong, narrow }) => (
        <Table.Td
          key={key}
          role="cell"
          data-column={key}
          data-number={number || undefined}
          data-strong={strong || undefined}
          data-narrow={narrow}
        >
          {render(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
