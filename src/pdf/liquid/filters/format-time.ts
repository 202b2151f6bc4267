import { TemplateError } from '../template-fault.ts';

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
export function formatTime(time: number, format: string, zone: string | null): string {
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
  /** Its UTC members are those of the zone. */
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
