/** The last 24 hours as bars: plain elements, so that the first page needs no chart library. */
import { Group, Text, Tooltip } from '@mantine/core';
import type { Overview } from '../../api/types.ts';
import { countOf } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import classes from './hour-bars.module.css';

const hourName = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** A bar an hour, errors on top in another colour; the same in words for screen readers. */
export function HourBars({ hours }: { hours: Overview['by_hour'] }) {
  const highest = Math.max(1, ...hours.map(({ requests }) => requests));
  const total = hours.reduce((sum, { requests }) => sum + requests, 0);
  const errors = hours.reduce((sum, hour) => sum + hour.errors, 0);
  const first = hours[0];
  return (
    <Section title="Last 24 hours" description={`${countOf(total, 'request')}, ${countOf(errors, 'error')}`}>
      <div
        className={classes.bars}
        role="img"
        aria-label={`Requests in each of the last 24 hours, ${total} in all, ${highest} at most in one`}
      >
        {hours.map((hour) => (
          <Tooltip
            key={hour.start}
            label={`${hourName.format(new Date(hour.start))} · ${countOf(hour.requests, 'request')}, ${countOf(hour.errors, 'error')}`}
          >
            <div className={classes.hour}>
              {hour.requests === 0 && <div className={classes.none} />}
              {hour.errors > 0 && (
                <div className={classes.bad} style={{ height: `${(hour.errors / highest) * 100}%` }} />
              )}
              {hour.requests > hour.errors && (
                <div
                  className={classes.good}
                  style={{ height: `${((hour.requests - hour.errors) / highest) * 100}%` }}
                />
              )}
            </div>
          </Tooltip>
        ))}
      </div>
      <Group justify="space-between" mt={6}>
        <Text size="xs" c="dimmed">
          {first ? hourName.format(new Date(first.start)) : ''}
        </Text>
        <Text size="xs" c="dimmed">
          now
        </Text>
      </Group>
    </Section>
  );
}
