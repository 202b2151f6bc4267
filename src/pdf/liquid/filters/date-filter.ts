import { LRUCache } from 'lru-cache';
import { formatValue } from '../safe-html.ts';
import { TemplateError } from '../template-fault.ts';
import type { FilterHandler } from './guard-filter.ts';

const DEFAULT_FORMAT = '%Y-%m-%d';
const MAX_FORMAT = 1_000;

/** A time with a zone: `Z`, `+02:00`, `-0500`, `UTC`, `GMT`. */
const ZONED = /(?:z|[+-]\d{2}:?\d{2}|\b(?:utc|gmt))\s*$/i;

/**
 * A year first, or a month by its English name. `3.12.2026` is in December or in March, and the parser of the
 * engine would choose March.
 */
const UNAMBIGUOUS = /^\s*[+-]?\d{4,6}(?!\d)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;

/**
 * `{{ "now" | date: "%d.%m.%Y", "Europe/Berlin" }}`: the time of the request. Without a zone, in that of the
 * request.
 */
export const DATE_FILTERS: Readonly<Record<string, FilterHandler>> = {
  date(value, format, zone) {
    const time = parseTime(value, this.context.now);
    if (time === null) return value;
    const defaultZone = isInstant(value) ? this.context.zone : null;
    const text = format === undefined || format === null ? DEFAULT_FORMAT : formatValue(format);
    if (text.length > MAX_FORMAT)
      throw new TemplateError(
        'invalid_parameter',
        `a format of "date" has at most ${MAX_FORMAT} characters.`,
      );
    const named = zone === undefined || zone === null ? defaultZone : formatValue(zone);
    const offsetMinutes = named === null ? 0 : computeOffset(time, named);
    return formatMoment(text, { time, local: new Date(time + offsetMinutes * MS_PER_MINUTE), offsetMinutes });
  },
};

/** Checks whether a value is a point in time. A day, or a time without a zone, prints as it is written. */
function isInstant(value: unknown): boolean {
  return typeof value !== 'string' || /^(?:now|today|\d+)$/.test(value) || ZONED.test(value);
}

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

const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;

/** A conversion of strftime: its flags, its least width, its letter. */
const CONVERSION = /%([-_0^#:]{0,4})(\d{0,3})([A-Za-z%])/g;

interface Moment {
  /** Milliseconds since 1970. */
  time: number;
  /** Its UTC members are in the time of the zone. */
  local: Date;
  offsetMinutes: number;
}

/** Formats a time by strftime, with English names. */
function formatMoment(format: string, moment: Moment): string {
  return format.replace(CONVERSION, (all, flags: string, asked: string, letter: string) => {
    if (!Object.hasOwn(PARTS, letter)) return all;
    const [part, width = 0, fill = width > 0 ? '0' : ' '] = PARTS[letter]?.(moment, flags) ?? [''];
    const text = flags.includes('^') ? String(part).toUpperCase() : String(part);
    if (flags.includes('-')) return text;
    const filler = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : fill;
    return text.padStart(asked === '' ? width : Number(asked), filler);
  });
}

/** A value, its least width, and what fills it up: 0 for a number, by default. */
type Part = readonly [value: number | string, width?: number, fill?: ' '];

/** Makes the conversion that stands for others. */
const compose =
  (format: string) =>
  (moment: Moment): Part => [formatMoment(format, moment)];

const PARTS: Readonly<Record<string, (moment: Moment, flags: string) => Part>> = {
  Y: ({ local }) => [local.getUTCFullYear(), 4],
  y: ({ local }) => [local.getUTCFullYear() % 100, 2],
  m: ({ local }) => [local.getUTCMonth() + 1, 2],
  B: ({ local }) => [MONTHS[local.getUTCMonth()] ?? ''],
  b: ({ local }) => [(MONTHS[local.getUTCMonth()] ?? '').slice(0, 3)],
  d: ({ local }) => [local.getUTCDate(), 2],
  e: ({ local }) => [local.getUTCDate(), 2, ' '],
  j: ({ local }) => [computeDayOfYear(local), 3],
  A: ({ local }) => [DAYS[local.getUTCDay()] ?? ''],
  a: ({ local }) => [(DAYS[local.getUTCDay()] ?? '').slice(0, 3)],
  u: ({ local }) => [local.getUTCDay() || 7, 1],
  w: ({ local }) => [local.getUTCDay(), 1],
  V: ({ local }) => [computeIsoWeek(local), 2],
  H: ({ local }) => [local.getUTCHours(), 2],
  k: ({ local }) => [local.getUTCHours(), 2, ' '],
  I: ({ local }) => [local.getUTCHours() % 12 || 12, 2],
  l: ({ local }) => [local.getUTCHours() % 12 || 12, 2, ' '],
  M: ({ local }) => [local.getUTCMinutes(), 2],
  S: ({ local }) => [local.getUTCSeconds(), 2],
  L: ({ local }) => [local.getUTCMilliseconds(), 3],
  p: ({ local }) => [local.getUTCHours() < 12 ? 'AM' : 'PM'],
  P: ({ local }) => [local.getUTCHours() < 12 ? 'am' : 'pm'],
  s: ({ time }) => [Math.floor(time / 1_000), 1],
  z: ({ offsetMinutes }, flags) => [formatOffset(offsetMinutes, flags.includes(':') ? ':' : '')],
  t: () => ['\t'],
  n: () => ['\n'],
  '%': () => ['%'],
  F: compose('%Y-%m-%d'),
  D: compose('%m/%d/%y'),
  x: compose('%m/%d/%Y'),
  T: compose('%H:%M:%S'),
  X: compose('%H:%M:%S'),
  R: compose('%H:%M'),
  r: compose('%I:%M:%S %p'),
  c: compose('%a %b %e %H:%M:%S %Y'),
  h: compose('%b'),
};

function computeDayOfYear(local: Date): number {
  const start = Date.UTC(local.getUTCFullYear(), 0, 1);
  return Math.floor((local.getTime() - start) / MS_PER_DAY) + 1;
}

/** Returns the week of ISO 8601: the first one of a year has its first Thursday. */
function computeIsoWeek(local: Date): number {
  const thursday = new Date(local.getTime() + (4 - (local.getUTCDay() || 7)) * MS_PER_DAY);
  return Math.ceil(computeDayOfYear(thursday) / 7);
}

function formatOffset(minutes: number, separator: string): string {
  const absolute = Math.abs(Math.round(minutes));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}${separator}${two(absolute % 60)}`;
}

/** Formats are expensive to make. */
const zones = new LRUCache<string, Intl.DateTimeFormat>({ max: 100, memoMethod: createZone });

/** Returns the minutes by which a zone is ahead of UTC at a time. */
function computeOffset(time: number, zone: string): number {
  // Swedish dates are those of ISO 8601.
  const local = Date.parse(`${zones.memo(zone).format(time).replace(' ', 'T')}Z`);
  return Math.round((local - time) / MS_PER_MINUTE) || 0;
}

function createZone(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('sv', {
      timeZone: zone.slice(0, 100),
      dateStyle: 'short',
      timeStyle: 'medium',
    });
  } catch {
    throw new TemplateError(
      'invalid_parameter',
      'the zone of "date" is not known: use a name such as "Europe/Berlin".',
    );
  }
}
