/** The bars above the request log. */
import type { Histogram } from '../../api/request-log.ts';

/** A bar, and the range of time that it stands for. */
export interface TimeBar {
  fromMs: number;
  toMs: number;
  /** The heading of the tooltip. */
  title: string;
  tick: string | undefined;
  values: readonly [succeeded: number, clientErrors: number, serverErrors: number];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_BARS = 62;
/** The widths that bars may have, in minutes. */
const WIDTHS_MINUTES = [1, 2, 5, 10, 30, 60, 180, 360, 720, 1440];

const utc = { timeZone: 'UTC' } as const;
const clock = new Intl.DateTimeFormat('en-GB', { ...utc, hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { ...utc, weekday: 'short', day: 'numeric', month: 'short' });
const monthDay = new Intl.DateTimeFormat('en-GB', { ...utc, day: 'numeric', month: 'short' });

/**
 * Returns at most 62 bars of equal width, also for times without requests. Each has the values succeeded, 4xx
 * and 5xx. About `ticks` of them have a label: a time, or a date from two days up.
 */
export function computeBars(histogram: Histogram, ticks: number): TimeBar[] {
  const rangeFromMs = Date.parse(histogram.from);
  const toMs = Date.parse(histogram.to);
  const widthMs = chooseWidth(toMs - rangeFromMs, histogram.bucket_seconds * 1000);
  const fromMs = rangeFromMs - (rangeFromMs % widthMs);
  const bars = Array.from({ length: Math.max(1, Math.ceil((toMs - fromMs) / widthMs)) }, (_, index) => {
    const startMs = fromMs + index * widthMs;
    return { fromMs: startMs, toMs: startMs + widthMs, values: [0, 0, 0] as [number, number, number] };
  });
  for (const bucket of histogram.buckets) {
    const values = bars[Math.floor((Date.parse(bucket.start) - fromMs) / widthMs)]?.values;
    if (!values) continue;
    values[0] += bucket.succeeded;
    values[1] += bucket.client_errors;
    values[2] += bucket.server_errors;
  }
  const isDays = toMs - fromMs > 2 * DAY_MS;
  const isTick = createTickTest(isDays, toMs - fromMs, widthMs, ticks);
  return bars.map((bar) => ({
    ...bar,
    title: formatTimeRange(bar.fromMs, bar.toMs),
    tick: isTick(bar.fromMs) ? (isDays ? monthDay : clock).format(bar.fromMs) : undefined,
  }));
}

function chooseWidth(rangeMs: number, bucketMs: number): number {
  const widthsMs = WIDTHS_MINUTES.map((minutes) => minutes * MINUTE_MS);
  return widthsMs.find((widthMs) => widthMs % bucketMs === 0 && rangeMs / widthMs <= MAX_BARS) ?? DAY_MS;
}

/** Labels are at round times. */
function createTickTest(isDays: boolean, rangeMs: number, widthMs: number, ticks: number) {
  const choices = isDays ? [1440, 2880, 5760, 10_080] : [5, 10, 15, 30, 60, 120, 180, 360, 720];
  const stepMs =
    choices
      .map((minutes) => minutes * MINUTE_MS)
      .find((candidateMs) => candidateMs >= widthMs && rangeMs / candidateMs <= ticks) ?? DAY_MS;
  return (startMs: number) => startMs % stepMs < widthMs;
}

/** Formats a range in UTC: "Sat 21 Nov, 10:00 to 11:00", or with two dates. */
export function formatTimeRange(fromMs: number, toMs: number): string {
  const isOneDay = toMs - fromMs <= DAY_MS && (toMs % DAY_MS === 0 || fromMs % DAY_MS < toMs % DAY_MS);
  return `${formatTime(fromMs)} to ${isOneDay ? clock.format(toMs) : formatTime(toMs)}`;
}

/** Formats a time in UTC: "Sat 21 Nov, 10:00". */
export function formatTime(ms: number): string {
  return `${day.format(ms).replace(',', '')}, ${clock.format(ms)}`;
}
