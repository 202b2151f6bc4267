/** The choice of a first and a last day, from a button that shows the period. */
import { Button, Group, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { useClock } from '../../components/relative-time.tsx';
import { formatDays } from './bucket-labels.ts';
import { computeTimes, formatDayValue, KEPT_DAYS, parseDay, type UsageRange } from './usage-ranges.ts';

const DAY_MS = 86_400_000;

/** Shows the period; a click opens two fields. */
export function DayRangePicker({
  range,
  onChange,
}: {
  range: UsageRange;
  onChange: (firstDay: string, lastDay: string) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const shown = useClock((nowMs) => {
    const { fromMs, toMs } = computeTimes(range, nowMs);
    return formatDays(fromMs, toMs);
  });
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-start"
      hideDetached={false}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon name="calendar" size={16} />}
          onClick={() => setIsOpen(!isOpen)}
          aria-label={`Period: ${shown}`}
        >
          {shown}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <DayFields
          range={range}
          onChange={(firstDay, lastDay) => {
            setIsOpen(false);
            onChange(firstDay, lastDay);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function DayFields({
  range,
  onChange,
}: {
  range: UsageRange;
  onChange: (firstDay: string, lastDay: string) => void;
}) {
  const [now] = useState(() => Date.now());
  const today = formatDayValue(now);
  const oldest = formatDayValue(now - KEPT_DAYS * DAY_MS);
  const [days, setDays] = useState(() => {
    const { fromMs, toMs } = computeTimes(range, now);
    return { first: formatDayValue(fromMs), last: formatDayValue(toMs - 1) };
  });
  const [error, setError] = useState<string | null>(null);
  const submit = () => {
    const found = checkDays(days, { oldest, today });
    setError(found);
    if (found === null) onChange(days.first, days.last);
  };
  return (
    <Form busy={false} onSubmit={submit}>
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <TextInput
          type="date"
          label="First day"
          value={days.first}
          min={oldest}
          max={today}
          error={error !== null}
          onChange={({ currentTarget }) => setDays({ ...days, first: currentTarget.value })}
        />
        <TextInput
          type="date"
          label="Last day, UTC"
          value={days.last}
          min={oldest}
          max={today}
          error={error}
          onChange={({ currentTarget }) => setDays({ ...days, last: currentTarget.value })}
        />
      </Group>
      <Button type="submit" mt="sm">
        Show
      </Button>
    </Form>
  );
}

/** Returns what is wrong with two days, or null. */
export function checkDays(
  { first, last }: { first: string; last: string },
  { oldest, today }: { oldest: string; today: string },
): string | null {
  if (parseDay(first) === null || parseDay(last) === null) return 'Enter both days.';
  if (first > last) return 'The last day is before the first.';
  if (first < oldest) return `Usage is kept for ${KEPT_DAYS} days: since ${oldest}.`;
  return last > today ? 'The last day is in the future.' : null;
}
