/** The filters of the usage page: period, key, operation, and the grouping of the bars. */
import { SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Key } from '../../api/types.ts';
import { formatKeyName } from '../../components/api-key.ts';
import { FilterBar, FilterChip } from '../../components/chip.tsx';
import { NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { DayRangePicker } from './day-range-picker.tsx';
import { RECENT_RANGES } from './usage-ranges.ts';
import type { UsageSelection } from './usage-selection.ts';
import classes from './usage.module.css';

const OPERATION_CHOICES = [...OPERATIONS, NO_OPERATION].map(({ id, short }) => ({ value: id, label: short }));

/** Shows the filters. Each choice becomes part of the URL. */
export function UsageFilters({ selection, keys }: { selection: UsageSelection; keys: readonly Key[] }) {
  const { range, grouping, keyId, operation } = selection;
  const navigate = useNavigate({ from: '/usage' });
  const choose = (
    change: Partial<Record<'range' | 'from' | 'to' | 'by' | 'key' | 'operation', string | undefined>>,
  ) => void navigate({ search: (last) => ({ ...last, ...change }), replace: true });
  return (
    <FilterBar label="Filters">
      <SegmentedControl
        aria-label="Period"
        // Days of one's choice select none of the segments.
        value={range.value}
        onChange={(value) => choose({ range: value, from: undefined, to: undefined })}
        data={RECENT_RANGES.map(({ value, label }) => ({ value, label }))}
      />
      <DayRangePicker
        range={range}
        onChange={(firstDay, lastDay) => choose({ range: undefined, from: firstDay, to: lastDay })}
      />
      <FilterChip
        label="Key"
        choices={keys.map((key) => ({ value: key.id, label: formatKeyName(key) }))}
        value={keyId}
        onChange={(key) => choose({ key })}
      />
      <FilterChip
        label="Operation"
        choices={OPERATION_CHOICES}
        value={operation}
        onChange={(value) => choose({ operation: value })}
      />
      <SegmentedControl
        className={classes.grouping}
        aria-label="Stack the bars by"
        value={grouping}
        onChange={(by) => choose({ by })}
        data={[
          { value: 'operation', label: 'By operation' },
          { value: 'status', label: 'By status' },
          { value: 'key', label: 'By key' },
        ]}
      />
    </FilterBar>
  );
}
