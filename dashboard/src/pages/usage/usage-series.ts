/** Converts usage rows to the series of a stacked chart. */
import type { Key, Usage, UsageRow } from '../../api/types.ts';
import { formatKeyName } from '../../components/api-key.ts';
import { NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { listBucketStarts } from './usage-ranges.ts';

/** The members by which bars are stacked. */
export type Grouping = 'operation' | 'status' | 'key';

/** One color of the bars. */
export interface Series {
  name: string;
  label: string;
  color: string;
}

/** One bar: the start of its bucket, and a count for each series. */
export type Bar = { start: number; when: string } & Record<string, number | string>;

/** The series of all keys but the busiest: more colors could not be distinguished. */
const OTHERS = 'others';
const KEY_COLORS = [
  'var(--ua-chart-email)',
  'var(--ua-chart-meta)',
  'var(--ua-chart-pdf)',
  'grape.5',
  'cyan.6',
  'yellow.6',
  'pink.5',
  'lime.7',
];

/** Returns the series of a grouping in the legend's order. "None" is included only if it has requests. */
export function computeSeries(rows: readonly UsageRow[], grouping: Grouping, keys: readonly Key[]): Series[] {
  if (grouping === 'key') return computeKeySeries(rows, keys);
  if (grouping === 'status')
    return [
      { name: '2xx', label: 'Succeeded (2xx)', color: 'var(--ua-chart-email)' },
      { name: '4xx', label: 'Rejected (4xx)', color: 'var(--ua-warn)' },
      { name: '5xx', label: 'Failed (5xx)', color: 'var(--ua-bad)' },
    ];
  const hasNone = rows.some(({ operation }) => operation === NO_OPERATION.id);
  return [...OPERATIONS, ...(hasNone ? [NO_OPERATION] : [])].map(({ id, short, color }) => ({
    name: id,
    label: short,
    color,
  }));
}

function computeKeySeries(rows: readonly UsageRow[], keys: readonly Key[]): Series[] {
  const busiest = [...computeTotals(rows, 'key')].toSorted(([, one], [, other]) => other - one);
  const shown = busiest.length > KEY_COLORS.length ? busiest.slice(0, KEY_COLORS.length - 1) : busiest;
  // The color depends on the id, so that it stays when the order changes.
  const byId = shown.map(([id]) => id).toSorted();
  const series = shown.map(([id]) => ({
    name: id,
    label: formatKeyLabel(keys, id),
    color: KEY_COLORS[byId.indexOf(id)] ?? 'gray.5',
  }));
  if (shown.length === busiest.length) return series;
  const count = busiest.length - shown.length;
  return [...series, { name: OTHERS, label: `${count} other keys`, color: 'gray.5' }];
}

/** Formats the name of the key `id`, or the id if the key is not in the list. */
export function formatKeyLabel(keys: readonly Key[], id: string): string {
  const key = keys.find((each) => each.id === id);
  return key ? formatKeyName(key) : id;
}

const FORMATS = {
  minute: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }),
  hour: new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }),
  // Days are UTC days; in the local time zone some would have the wrong date.
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
};

/** Returns a bar for every bucket of the range, including empty ones. */
export function computeBars(usage: Usage, grouping: Grouping, series: readonly Series[]): Bar[] {
  const format = FORMATS[usage.bucket];
  const names = new Set(series.map(({ name }) => name));
  const zeros = Object.fromEntries(series.map(({ name }) => [name, 0]));
  const bars = new Map<number, Bar>();
  for (const start of listBucketStarts(usage.from, usage.to, usage.bucket)) {
    bars.set(start, { ...zeros, start, when: format.format(start) });
  }
  for (const row of usage.rows) {
    const bar = bars.get(Date.parse(row.start));
    const group = getGroup(row, grouping);
    const name = names.has(group) ? group : OTHERS;
    if (bar) bar[name] = Number(bar[name] ?? 0) + row.count;
  }
  return [...bars.values()];
}

/** Returns the sum of each group over the whole range. */
export function computeTotals(rows: readonly UsageRow[], grouping: Grouping): Map<string, number> {
  const totals = new Map<string, number>();
  for (const row of rows) {
    const name = getGroup(row, grouping);
    totals.set(name, (totals.get(name) ?? 0) + row.count);
  }
  return totals;
}

function getGroup(row: UsageRow, grouping: Grouping): string {
  if (grouping === 'status') return row.status_class;
  return (grouping === 'key' ? row.key_id : row.operation) ?? NO_OPERATION.id;
}
