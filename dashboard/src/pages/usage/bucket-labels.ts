/** The names of buckets of time, in UTC as the service counts them. */
import type { Bucket } from '../../api/types.ts';

const UTC = { timeZone: 'UTC' } as const;
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...UTC });
const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', ...UTC });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', ...UTC });

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Up to two days, hours are labeled with their time; beyond, with their day. */
const MOST_LABELED_HOURS = 48;

/** Formats a bucket for a tooltip: "Tuesday, 10 November", "10 Nov, 10:00 to 11:00". */
export function formatBucket(startMs: number, bucket: Bucket): string {
  if (bucket === 'day') return `${weekday.format(startMs)}, ${longDay.format(startMs)}`;
  const endMs = startMs + (bucket === 'hour' ? HOUR_MS : MINUTE_MS);
  return `${shortDay.format(startMs)}, ${formatTime(startMs)} to ${formatTime(endMs)}`;
}

/**
 * Formats the label under a bucket, or returns undefined if it has none. `count` is the number of all
 * buckets.
 */
export function formatTick(startMs: number, bucket: Bucket, count: number): string | undefined {
  if (bucket === 'day') return shortDay.format(startMs);
  const date = new Date(startMs);
  if (bucket === 'minute') return date.getUTCMinutes() % 5 === 0 ? formatTime(startMs) : undefined;
  if (count <= MOST_LABELED_HOURS) return date.getUTCHours() % 3 === 0 ? formatTime(startMs) : undefined;
  return date.getUTCHours() === 0 ? shortDay.format(startMs) : undefined;
}

/** Formats a range of days: "23 Oct to 21 Nov 2026". */
export function formatDays(fromMs: number, toMs: number): string {
  const year = new Date(toMs - 1).getUTCFullYear();
  const fromYear = new Date(fromMs).getUTCFullYear();
  const from = `${shortDay.format(fromMs)}${fromYear === year ? '' : ` ${fromYear}`}`;
  const to = `${shortDay.format(toMs - 1)} ${year}`;
  return shortDay.format(fromMs) === shortDay.format(toMs - 1) && fromYear === year ? to : `${from} to ${to}`;
}

function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(11, 16);
}
