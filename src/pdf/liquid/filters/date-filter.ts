import { formatValue } from '../safe-html.ts';
import { TemplateError } from '../template-fault.ts';
import type { FilterHandler } from './guard-filter.ts';
import { formatTime } from './format-time.ts';

const DEFAULT_FORMAT = '%Y-%m-%d';
const MAX_FORMAT = 1_000;

/** A time with a zone: `Z`, `+02:00`, `-0500`, `UTC`, `GMT`. */
const ZONED = /(?:z|[+-]\d{2}:?\d{2}|\b(?:utc|gmt))\s*$/i;

/**
 * A year first, or a month by its English name. `3.12.2026` is in December or in March, and the parser of the
 * engine would choose March.
 */
const UNAMBIGUOUS = /^\s*[+-]?\d{4,6}(?!\d)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;

/** `{{ "now" | date: "%d.%m.%Y", "Europe/Berlin" }}`: the time of the request, in UTC without a zone. */
export const DATE_FILTERS: Readonly<Record<string, FilterHandler>> = {
  date(value, format, zone) {
    const time = parseTime(value, this.context.now);
    if (time === null) return value;
    const text = format === undefined || format === null ? DEFAULT_FORMAT : formatValue(format);
    if (text.length > MAX_FORMAT)
      throw new TemplateError('invalid', `a format of "date" has at most ${MAX_FORMAT} characters.`);
    return formatTime(time, text, zone === undefined || zone === null ? null : formatValue(zone));
  },
};

/** Parses a time to milliseconds since 1970: a text, or seconds. Null if it is none. */
function parseTime(value: unknown, now: number): number | null {
  if (value === 'now' || value === 'today') return now;
  const time = typeof value === 'number' ? value * 1_000 : typeof value === 'string' ? parseText(value) : NaN;
  return Number.isNaN(new Date(time).getTime()) ? null : time;
}

/** A text without a zone is in UTC, not in the zone of the machine. */
function parseText(text: string): number {
  if (text.length > 100) return NaN;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  if (!UNAMBIGUOUS.test(text)) return NaN;
  if (ZONED.test(text) || /^\d{4}(?:-\d\d){0,2}$/.test(text)) return Date.parse(text);
  const isoTime = Date.parse(`${text.trim().replace(' ', 'T')}Z`);
  return Number.isNaN(isoTime) ? Date.parse(`${text} UTC`) : isoTime;
}
