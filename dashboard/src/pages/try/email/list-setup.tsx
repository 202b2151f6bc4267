/** A list before its check: its size, and the column with the addresses. */
import { ActionIcon, Button, Select } from '@mantine/core';
import { formatCount, formatNumber } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { type AddressList, listAddresses, MAX_ROWS } from './address-list.ts';
import classes from './list.module.css';

/** Shows the choice of the column, and the button that starts the check. */
export function ListSetup({
  list,
  column,
  onColumn,
  onStart,
  onRemove,
}: {
  list: AddressList;
  column: number;
  onColumn: (column: number) => void;
  onStart: () => void;
  onRemove: () => void;
}) {
  const count = listAddresses(list, column).length;
  return (
    <div className={classes.well} data-testid="list-setup">
      <div className={classes.file}>
        <Icon name="listDetails" size={20} />
        <div>
          <b>{list.name}</b>
          <span>
            {formatCount(list.rows.length, 'row')}
            {list.isCut && `, the first ${formatNumber(MAX_ROWS)} of the file`}
          </span>
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label="Remove the list" onClick={onRemove}>
          <Icon name="close" size={16} />
        </ActionIcon>
      </div>
      <div className={classes.setup}>
        <Select
          label="Column with the addresses"
          allowDeselect={false}
          value={String(column)}
          onChange={(value) => onColumn(Number(value))}
          data={list.header.map((name, index) => ({
            value: String(index),
            label: `${name} (${index + 1} of ${list.header.length})`,
          }))}
        />
        <Button disabled={count === 0} onClick={onStart}>
          Check {formatNumber(count)} {count === 1 ? 'address' : 'addresses'}
        </Button>
      </div>
      <p className={classes.sample}>
        {list.rows
          .slice(0, 3)
          .map((row) => row[column] ?? '')
          .filter((cell) => cell !== '')
          .join(' · ')}
      </p>
    </div>
  );
}
