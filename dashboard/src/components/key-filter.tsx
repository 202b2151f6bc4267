/** A choice of one key, or all. */
import { Select, type SelectProps } from '@mantine/core';
import type { Key } from '../api/types.ts';
import { formatKeyName } from './api-key.ts';

/** Shows the choice. `value` is the id of a key; undefined chooses all. */
export function KeyFilter({
  keys,
  value,
  onChange,
  w,
}: {
  keys: readonly Key[];
  value: string | undefined;
  onChange: (id: string | undefined) => void;
  w: SelectProps['w'];
}) {
  return (
    <Select
      aria-label="Key"
      placeholder="All keys"
      clearable
      searchable
      clearButtonProps={{ 'aria-label': 'Show all keys' }}
      data={keys.map((key) => ({ value: key.id, label: formatKeyName(key) }))}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      w={w}
    />
  );
}
