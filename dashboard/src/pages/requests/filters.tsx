/** The filters above the request log. All of them are part of the URL. */
import { Button } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery } from '../../api/queries.ts';
import { recentErrorsQuery } from '../../api/request-log.ts';
import { formatKeyName } from '../../components/api-key.ts';
import { FilterBar, FilterChip, FilterListChip } from '../../components/chip.tsx';
import { getLoggedOperation, NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { SearchField } from '../../components/search-field.tsx';
import { formatTime, formatTimeRange } from './histogram-bars.ts';
import { DURATIONS, isFiltered, parseList, RANGES, type RequestSearch, WHOLE_LOG } from './request-filter.ts';
import classes from './requests.module.css';
import { useRequestSearch } from './use-request-search.ts';

const TYPING_MS = 250;
const STATUSES = [
  { value: '2xx', label: '2xx' },
  { value: '4xx', label: '4xx' },
  { value: '5xx', label: '5xx' },
];

/** Shows a chip per filter, and the search for an ID. */
export function Filters() {
  const { search, change, clear } = useRequestSearch();
  const [cleared, setCleared] = useState(0);
  return (
    <FilterBar>
      <RangeChip search={search} change={change} />
      <ListChip label="Status" name="status" choices={STATUSES} />
      <OperationChip />
      <ErrorChip />
      <KeyChip />
      <FilterChip
        label="Duration"
        choices={DURATIONS}
        value={search.min_ms}
        onChange={(min_ms) => change({ min_ms })}
      />
      {isFiltered(search) && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => {
            setCleared(cleared + 1);
            clear();
          }}
        >
          Clear
        </Button>
      )}
      <div className={classes.search}>
        <IdSearch key={cleared} />
      </div>
    </FilterBar>
  );
}

function RangeChip({ search, change }: { search: RequestSearch; change: (changes: RequestSearch) => void }) {
  const isCustom = search.from !== undefined || search.to !== undefined;
  const custom = { value: 'custom', label: formatCustomRange(search) };
  return (
    <FilterChip
      label="Time"
      icon="calendar"
      choices={isCustom ? [custom, ...RANGES] : RANGES}
      value={isCustom ? 'custom' : (search.range ?? WHOLE_LOG)}
      onChange={(range) =>
        range === 'custom' ||
        change({ range: range === WHOLE_LOG ? undefined : range, from: undefined, to: undefined })
      }
    />
  );
}

function formatCustomRange({ from, to }: RequestSearch): string {
  const fromMs = Date.parse(from ?? '');
  const toMs = Date.parse(to ?? '');
  const hasFrom = !Number.isNaN(fromMs);
  if (hasFrom && !Number.isNaN(toMs)) return formatTimeRange(fromMs, toMs);
  return hasFrom ? `Since ${formatTime(fromMs)}` : 'Chosen range';
}

/** Values of the URL that are not among the choices are shown too. */
function ListChip({
  label,
  name,
  choices,
}: {
  label: string;
  name: 'status' | 'operation' | 'error' | 'key';
  choices: readonly { value: string; label: string }[];
}) {
  const { search, change } = useRequestSearch();
  const values = parseList(search[name]);
  const others = values.filter((value) => !choices.some((choice) => choice.value === value));
  return (
    <FilterListChip
      label={label}
      choices={[...choices, ...others.map((value) => ({ value, label: value }))]}
      values={values}
      onChange={(chosen) => change({ [name]: chosen.join(',') || undefined })}
    />
  );
}

function OperationChip() {
  const choices = [...OPERATIONS, NO_OPERATION].map(({ id }) => ({
    value: id,
    label: getLoggedOperation(id).short,
  }));
  return <ListChip label="Operation" name="operation" choices={choices} />;
}

/** Offers the errors of the last days. Without any, there is nothing to choose. */
function ErrorChip() {
  const { search } = useRequestSearch();
  const errors = useQuery(recentErrorsQuery).data ?? [];
  if (errors.length === 0 && search.error === undefined) return null;
  return (
    <ListChip label="Error" name="error" choices={errors.map((error) => ({ value: error, label: error }))} />
  );
}

function KeyChip() {
  const keys = useQuery(keysQuery).data ?? [];
  if (keys.length === 0) return null;
  return (
    <ListChip
      label="Key"
      name="key"
      choices={keys.map((key) => ({ value: key.id, label: formatKeyName(key) }))}
    />
  );
}

function IdSearch() {
  const { search, change } = useRequestSearch();
  const [text, setText] = useState(search.id ?? '');
  const apply = useDebouncedCallback((id: string) => change({ id: id.trim() || undefined }), TYPING_MS);
  return (
    <SearchField
      label="Find a request ID"
      placeholder="Find a request ID"
      mono
      width="17rem"
      value={text}
      onChange={(value) => {
        setText(value);
        apply(value);
      }}
    />
  );
}
