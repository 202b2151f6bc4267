/** Times, exact or relative to the current time. */
import { Text, Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { formatClock, formatExact, formatRelative, formatWhen } from './format.ts';

const TICK_MS = 10_000;

function subscribeToClock(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
}

/** Returns the text that `format` makes of the current time. It is updated every ten seconds. */
export function useClock(format: (nowMs: number) => string): string {
  return useSyncExternalStore(subscribeToClock, () => format(Date.now()));
}

/** Shows "21 Nov, 09:31:05" with the year as a tooltip. */
export function ClockTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatExact(iso)} className="tabular" style={{ whiteSpace: 'nowrap' }}>
      {formatClock(iso)}
    </time>
  );
}

/** Shows "3 minutes ago" with the exact time as a tooltip, or `none` if there is no time. */
export function RelativeTime({ iso, none = 'Never' }: { iso: string | null; none?: string }) {
  const text = useClock((nowMs) => (iso === null ? none : formatRelative(iso, nowMs)));
  if (iso === null) {
    return (
      <Text span inherit c="dimmed">
        {text}
      </Text>
    );
  }
  return (
    <Tooltip label={formatExact(iso)}>
      <time dateTime={iso}>{text}</time>
    </Tooltip>
  );
}

/** Shows a time in a table, "5 min ago" or "19 Nov", with the exact time as a tooltip. */
export function TableTime({ iso, none = 'Never' }: { iso: string | null; none?: string }) {
  const text = useClock((nowMs) => (iso === null ? none : formatWhen(iso, nowMs)));
  if (iso === null) return <span className="dim nowrap">{text}</span>;
  return (
    <time dateTime={iso} title={formatExact(iso)} className="nowrap">
      {text}
    </time>
  );
}
