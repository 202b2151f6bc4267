/** Finds the times at which a page was published and modified. */
import type { PageValues } from '../page/page-values.ts';
import { normalizeText } from '../page/text.ts';
import type { JsonLdGraph } from './json-ld-graph.ts';

interface TimeSources {
  /** The meta keys that precede the JSON-LD. */
  metas: readonly string[];
  jsonLd: readonly string[];
  /** Meta keys that may mean something else. */
  otherMetas: readonly string[];
}

const PUBLISHED: TimeSources = {
  metas: ['article:published_time', 'og:article:published_time', 'og:published_time', 'article:published'],
  jsonLd: ['datePublished', 'uploadDate', 'dateCreated'],
  otherMetas: [
    'datepublished',
    'parsely-pub-date',
    'sailthru.date',
    'citation_publication_date',
    'citation_online_date',
    'pubdate',
    'publishdate',
    'publish_date',
    'publication_date',
    'dc.date.issued',
    'dcterms.issued',
    'dc.date.created',
    'dcterms.created',
    'dc.date',
    'dcterms.date',
    'date',
    'book:release_date',
    'music:release_date',
    'video:release_date',
  ],
};

const MODIFIED: TimeSources = {
  metas: ['article:modified_time', 'og:article:modified_time'],
  jsonLd: ['dateModified'],
  otherMetas: [
    'og:updated_time',
    'datemodified',
    'dc.date.modified',
    'dcterms.modified',
    'last-modified',
    'lastmod',
    'revised',
  ],
};

/** A time in ISO 8601, and the text that it was parsed from. */
interface FoundTime {
  iso: string | null;
  raw: string | null;
}

export function findPublishedTime(values: PageValues, graph: JsonLdGraph): FoundTime {
  return findTime(values, graph, PUBLISHED);
}

export function findModifiedTime(values: PageValues, graph: JsonLdGraph): FoundTime {
  return findTime(values, graph, MODIFIED);
}

/**
 * Returns the first date of the first source that has a text with a number, else that text: a date that
 * cannot be read is better than one that may be wrong. Without such a source, the first text.
 */
function findTime(values: PageValues, graph: JsonLdGraph, sources: TimeSources): FoundTime {
  let first: string | null = null;
  for (const texts of iterateSources(values, graph, sources)) {
    for (const raw of texts) {
      const iso = parseDate(raw);
      if (iso !== null) return { iso, raw };
    }
    // Templates print zeros for a date that they do not have.
    const unread = texts.find((text) => /[1-9]/.test(text));
    if (unread !== undefined) return { iso: null, raw: unread };
    first ??= texts[0] ?? null;
  }
  return { iso: null, raw: first };
}

/** Yields the texts of each source, best first. */
function* iterateSources(values: PageValues, graph: JsonLdGraph, sources: TimeSources): Generator<string[]> {
  for (const key of sources.metas) yield values.listTexts(key);
  for (const node of graph.mainNodes) {
    for (const property of sources.jsonLd) {
      yield graph
        .list(graph.get(node, property))
        .map((value) => (typeof value === 'object' ? null : normalizeText(String(value), 'text')))
        .filter((text) => text !== null);
    }
  }
  for (const key of sources.otherMetas) yield values.listTexts(key);
}

// Parses dates as pages write them into ISO 8601.

/** A longer text is not a date. */
const MAX_LENGTH = 100;

/** Zones with one meaning, in hours from UTC. CST is none: servers in China write it too. */
const ZONES: Readonly<Record<string, number>> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  EST: -5,
  EDT: -4,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  CET: 1,
  CEST: 2,
  JST: 9,
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\\.?,?\\s+)?';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const TIME =
  '(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,](?<fraction>\\d{1,9})\\d*)?)?(?:\\s*(?<half>[ap])\\.?m\\.?)?';
const ZONE =
  '(?:\\s*(?<zone>(?:gmt|utc)?[+-]\\d{2}(?::?\\d{2})?|[a-z]{1,4}))?(?:\\s*\\([^()]*\\)|\\[[^[\\]]*\\])?';
/** After a date: nothing, or a time with or without a zone. */
const CLOCK = `(?:(?:T|,?\\s+(?:at\\s+)?|\\s*[-|]\\s+)${TIME}${ZONE})?`;

/** The year comes first, or the month has a name: other orders are ambiguous. */
const FORMS = [
  `(?<year>\\d{4})(?:-(?<month>\\d{1,2})(?:-(?<day>\\d{1,2})${CLOCK})?)?`,
  `(?<year>\\d{4})([/.])(?<month>\\d{1,2})\\2(?<day>\\d{1,2})${CLOCK}`,
  `(?<year>\\d{4})\\s?[年년]\\s?(?<month>\\d{1,2})\\s?[月월]\\s?(?<day>\\d{1,2})\\s?[日일](?:\\s*${TIME}${ZONE})?`,
  `${WEEKDAY}${DAY}[\\s-]+${MONTH},?[\\s-]+(?<year>\\d{4})${CLOCK}`,
  `${WEEKDAY}${MONTH}\\s+${DAY},?\\s+(?<year>\\d{4})${CLOCK}`,
  `${MONTH},?\\s+(?<year>\\d{4})`,
  // asctime and date(1): the year comes last.
  `${WEEKDAY}${MONTH}\\s+${DAY}\\s+${TIME}${ZONE}\\s+(?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`, 'i'));

/**
 * Returns the date in ISO 8601, as precise as it is written, or null if it is not a date or has several
 * meanings:
 *
 * | written | returned |
 * |---|---|
 * | `2026-03-05T10:00+0100` | `2026-03-05T10:00:00+01:00` |
 * | `2026-03-05 10:00` | `2026-03-05T10:00:00`: its zone is not known |
 * | `2026/3/5`, `March 5, 2026`, `20260305` | `2026-03-05` |
 * | `Thu, 05 Mar 2026 10:00:00 EST` | `2026-03-05T10:00:00-05:00` |
 * | `1772704800`, `1772704800000` | `2026-03-05T10:00:00Z` |
 * | `03/05/2026`, `5.3.2026`, `2 days ago` | null |
 */
export function parseDate(text: string): string | null {
  const written = text.trim().replace(/[\s\u202F]+/g, ' ');
  if (written.length > MAX_LENGTH) return null;
  if (/^\d{8,14}$/.test(written)) return parseDigits(written);
  const basic = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(.*)$/i.exec(written);
  const extended =
    basic === null
      ? written
      : `${basic[1]}-${basic[2]}-${basic[3]}T${basic[4]}:${basic[5]}:${basic[6] ?? '00'}${basic[7]}`;
  for (const form of FORMS) {
    const groups = form.exec(extended)?.groups;
    if (groups !== undefined) return formatParts(groups);
  }
  return null;
}

/** Parses `YYYYMMDD`, with a time or without, and times since 1970 in seconds or milliseconds. */
function parseDigits(digits: string): string | null {
  if (digits.length === 9 || digits.length === 10) return formatEpoch(Number(digits) * 1_000);
  if (digits.length === 13) return formatEpoch(Number(digits));
  const match = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?$/.exec(digits);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second] = match;
  return formatParts({ year, month, day, hour, minute, second });
}

function formatEpoch(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

type Parts = Partial<Record<string, string>>;

/** Returns null if a part is out of range, as in the zero dates of databases and templates. */
function formatParts({ year, month, name, day, half, zone, ...clock }: Parts): string | null {
  const monthNumber =
    name === undefined ? Number(month ?? 1) : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const hasMonth = month !== undefined || name !== undefined;
  const yearNumber = Number(year);
  if (yearNumber < 1000 || monthNumber < 1 || monthNumber > 12) return null;
  const lastDay = new Date(Date.UTC(yearNumber, monthNumber, 0)).getUTCDate();
  if (day !== undefined && (Number(day) < 1 || Number(day) > lastDay)) return null;
  const date = [
    year!,
    ...(hasMonth ? [pad(monthNumber)] : []),
    ...(day === undefined ? [] : [pad(Number(day))]),
  ];
  if (clock['hour'] === undefined) return date.join('-');
  const time = formatTime(clock, half);
  const offset = formatZone(zone);
  return time === null || offset === null ? null : `${date.join('-')}T${time}${offset}`;
}

function formatTime(
  { hour, minute, second = '0', fraction }: Parts,
  half: string | undefined,
): string | null {
  let hours = Number(hour);
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return `${pad(hours)}:${minute}:${pad(Number(second))}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Returns `Z`, an offset, or '' for a local time; null for a name with several meanings. */
function formatZone(zone: string | undefined): string | null {
  if (zone === undefined) return '';
  const offset = /^(?:gmt|utc)?([+-])(\d{2}):?(\d{2})?$/i.exec(zone);
  if (offset !== null) {
    const [, sign, hours, minutes = '00'] = offset;
    return Number(hours) > 14 || Number(minutes) > 59 ? null : `${sign}${hours}:${minutes}`;
  }
  const hours = ZONES[zone.toUpperCase()];
  if (hours === undefined) return null;
  return hours === 0 ? 'Z' : `${hours < 0 ? '-' : '+'}${pad(Math.abs(hours))}:00`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
