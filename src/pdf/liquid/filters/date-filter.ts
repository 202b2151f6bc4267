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
      throw new TemplateError('invalid', `a format of "date" has at most ${MAX_FORMAT} characters.`);
    return formatTime(time, text, zone === undefined || zone === null ? defaultZone : formatValue(zone));
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
const MAX_WIDTH = 100;
const MAX_ZONES = 100;

/** The offsets of zones are computed by formats, which are expensive to make. */
const zones = new Map<string, Intl.DateTimeFormat>();

/** A conversion of strftime: its flags, its least width, its letter. */
const CONVERSION = /%([-_0^#:]{0,4})(\d{0,3})([A-Za-z%])/g;

/** Formats a time (milliseconds since 1970) by strftime, with English names. A zone is one of IANA. */
function formatTime(time: number, format: string, zone: string | null): string {
  const offsetMinutes = zone === null ? 0 : computeOffset(time, zone);
  const local = new Date(time + offsetMinutes * MS_PER_MINUTE);
  return format.replace(CONVERSION, (all, flags: string, width: string, letter: string) => {
    const part = formatPart(letter, { time, local, offsetMinutes, hasColon: flags.includes(':') });
    return part === null ? all : pad(part, flags, width);
  });
}

interface Part {
  text: string;
  width: number;
  fill: '0' | ' ';
}

interface Moment {
  /** Milliseconds since 1970. */
  time: number;
  /** Its UTC members are in the time of the zone. */
  local: Date;
  offsetMinutes: number;
  hasColon: boolean;
}

const number = (value: number, width: number, fill: Part['fill'] = '0'): Part => ({
  text: String(value),
  width,
  fill,
});
const text = (value: string): Part => ({ text: value, width: 0, fill: ' ' });

const PARTS: Readonly<Record<string, (moment: Moment) => Part>> = {
  Y: ({ local }) => number(local.getUTCFullYear(), 4),
  y: ({ local }) => number(local.getUTCFullYear() % 100, 2),
  m: ({ local }) => number(local.getUTCMonth() + 1, 2),
  B: ({ local }) => text(MONTHS[local.getUTCMonth()] ?? ''),
  b: ({ local }) => text((MONTHS[local.getUTCMonth()] ?? '').slice(0, 3)),
  d: ({ local }) => number(local.getUTCDate(), 2),
  e: ({ local }) => number(local.getUTCDate(), 2, ' '),
  j: ({ local }) => number(computeDayOfYear(local), 3),
  A: ({ local }) => text(DAYS[local.getUTCDay()] ?? ''),
  a: ({ local }) => text((DAYS[local.getUTCDay()] ?? '').slice(0, 3)),
  u: ({ local }) => number(local.getUTCDay() || 7, 1),
  w: ({ local }) => number(local.getUTCDay(), 1),
  V: ({ local }) => number(computeIsoWeek(local), 2),
  H: ({ local }) => number(local.getUTCHours(), 2),
  k: ({ local }) => number(local.getUTCHours(), 2, ' '),
  I: ({ local }) => number(local.getUTCHours() % 12 || 12, 2),
  l: ({ local }) => number(local.getUTCHours() % 12 || 12, 2, ' '),
  M: ({ local }) => number(local.getUTCMinutes(), 2),
  S: ({ local }) => number(local.getUTCSeconds(), 2),
  L: ({ local }) => number(local.getUTCMilliseconds(), 3),
  p: ({ local }) => text(local.getUTCHours() < 12 ? 'AM' : 'PM'),
  P: ({ local }) => text(local.getUTCHours() < 12 ? 'am' : 'pm'),
  s: ({ time }) => number(Math.floor(time / 1_000), 1),
  z: ({ offsetMinutes, hasColon }) => text(formatOffset(offsetMinutes, hasColon ? ':' : '')),
  t: () => text('\t'),
  n: () => text('\n'),
  '%': () => text('%'),
};

/** Conversions that stand for others. */
const COMPOSED: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  D: '%m/%d/%y',
  x: '%m/%d/%Y',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  c: '%a %b %e %H:%M:%S %Y',
  h: '%b',
};

function formatPart(letter: string, moment: Moment): Part | null {
  const composed = Object.hasOwn(COMPOSED, letter) ? COMPOSED[letter] : undefined;
  if (composed === undefined) return (Object.hasOwn(PARTS, letter) && PARTS[letter]?.(moment)) || null;
  const inner = composed.replace(CONVERSION, (_all, _flags, _width, part: string) => {
    const made = formatPart(part, moment);
    return made === null ? '' : pad(made, '', '');
  });
  return text(inner);
}

function pad({ text: value, width, fill }: Part, flags: string, asked: string): string {
  const cased = flags.includes('^') ? value.toUpperCase() : value;
  if (flags.includes('-')) return cased;
  const filler = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : fill;
  return cased.padStart(asked === '' ? width : Math.min(Number(asked), MAX_WIDTH), filler);
}

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

/** Returns the minutes by which a zone is ahead of UTC at a time. */
function computeOffset(time: number, zone: string): number {
  const parts = getZone(zone).formatToParts(time);
  const get = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const local = Date.UTC(
    get('year'),
    get('month') - 1,
    get('day'),
    get('hour'),
    get('minute'),
    get('second'),
  );
  return (local - Math.floor(time / 1_000) * 1_000) / MS_PER_MINUTE;
}

function getZone(zone: string): Intl.DateTimeFormat {
  const known = zones.get(zone);
  if (known !== undefined) return known;
  if (zones.size >= MAX_ZONES) zones.clear();
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone: zone.slice(0, 100),
      hourCycle: 'h23',
      dateStyle: undefined,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    zones.set(zone, made);
    return made;
  } catch {
    throw new TemplateError(
      'invalid',
      'the zone of "date" is not known: use a name such as "Europe/Berlin".',
    );
  }
}
