/** The last 24 hours as bars, without the chart library, which would slow down the first page. */
import { Group, Text, Tooltip } from '@mantine/core';
import type { Overview } from '../../api/types.ts';
import { formatCount } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import classes from './hour-bars.module.css';

const hourFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Shows one bar per hour with errors on top, and a summary for screen readers. */
export function HourBars({ hours }: { hours: Overview['by_hour'] }) {
  const highest = Math.max(1, ...hours.map(({ requests }) => requests));
  const total = hours.reduce((sum, { requests }) => sum + requests, 0);
  const errors = hours.reduce((sum, hour) => sum + hour.errors, 0);
  const first = hours[0];
  return (
    <Section
      title="Last 24 hours"
      description={`${formatCount(total, 'request')}, ${formatCount(errors, 'error')}`}
    >
      <div
        className={classes.bars}
        role="img"
        aria-label={`Requests per hour in the last 24 hours: ${total} in total, at most ${highest} in one hour`}
      >
        {hours.map((hour) => (
          <Tooltip
            key={hour.start}
            label={`${hourFormat.format(new Date(hour.start))} · ${formatCount(hour.requests, 'request')}, ${formatCount(hour.errors, 'error')}`}
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
          {first ? hourFormat.format(new Date(first.start)) : ''}
        </Text>
        <Text size="xs" c="dimmed">
          Now
        </Text>
      </Group>
    </Section>
  );
}
