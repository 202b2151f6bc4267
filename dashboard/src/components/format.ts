/** Numbers and times as people read them. */

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
const monthDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Formats a count with its noun: "1 request", "1,200 requests". */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** Formats a number with separators: "1,200". */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/** Formats a time relative to `nowMs`: "3 minutes ago", "in 2 days", "just now". */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) < length) continue;
    // The past is rounded down, the future to the nearest unit: three days less a second are "in 3 days".
    return relative.format(seconds < 0 ? Math.trunc(seconds / length) : Math.round(seconds / length), unit);
  }
  return seconds > 0 ? 'in a moment' : 'just now';
}

/** Formats a time in the browser's time zone: "21 Nov 2026, 09:31:05". */
export function formatExact(iso: string): string {
  return exact.format(new Date(iso));
}

/** Formats a date in the browser's time zone: "21 Nov 2026". */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}

/** Formats a time without its year in the browser's time zone: "21 Nov, 09:31:05". */
export function formatClock(iso: string): string {
  return clock.format(new Date(iso));
}

/** Formats a duration: "38 ms", "10.00 s" from a second up. */
export function formatDuration(ms: number): string {
  return Math.round(ms) < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** Formats a share of 0 to 1: "33.0%". */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

/** Formats a number of bytes: "512 B", "20.3 kB", "1.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * Formats a time in a table: "2 s ago" and "5 min ago" within the last hour, else "19 Nov", with the year if
 * it is another one. Show the exact time in the title.
 */
export function formatWhen(iso: string, nowMs: number): string {
  const time = new Date(iso);
  const seconds = Math.round((nowMs - time.getTime()) / 1000);
  if (seconds >= 0 && seconds < 60) return `${seconds} s ago`;
  if (seconds >= 0 && seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  const isThisYear = time.getFullYear() === new Date(nowMs).getFullYear();
  return isThisYear ? monthDay.format(time) : day.format(time);
}

/** Formats the time of a log line in UTC: "20:14:52.318". */
export function formatLogTime(iso: string): string {
  return new Date(iso).toISOString().slice(11, 23);
}
