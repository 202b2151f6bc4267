/** Points in time as people read them, with the exact one on hover. */
import { Text, Tooltip } from '@mantine/core';

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** "3 minutes ago", "in 2 days", "just now". */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  for (const [unit, length] of UNITS) {
    // What is past is at least so long ago; what is to come is told to the nearest: "in 3 days" of three days less a second.
    if (Math.abs(seconds) < length) continue;
    return relative.format(seconds < 0 ? Math.trunc(seconds / length) : Math.round(seconds / length), unit);
  }
  return seconds > 0 ? 'in a moment' : 'just now';
}

/** "21 Nov 2026, 09:31:05" in the reader's time zone. */
export function formatExact(iso: string): string {
  return exact.format(new Date(iso));
}

/** "21 Nov 2026" in the reader's time zone. */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}

/** "21 Nov, 09:31:05" in the reader's time zone. */
export function formatClock(iso: string): string {
  return clock.format(new Date(iso));
}

/** A time told relative to now; `none` where there is none. */
export function Ago({ iso, none = 'Never' }: { iso: string | null; none?: string }) {
  if (iso === null) {
    return (
      <Text span inherit c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <Tooltip label={formatExact(iso)}>
      <time dateTime={iso}>{formatRelative(iso, Date.now())}</time>
    </Tooltip>
  );
}
