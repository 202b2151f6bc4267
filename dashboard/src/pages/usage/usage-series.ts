/** Usage rows as the series of a stacked chart. */
import type { Key, Usage, UsageRow } from '../../api/types.ts';
import { NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { bucketStarts } from './usage-ranges.ts';

/** By what the bars are stacked. */
export type Grouping = 'operation' | 'status' | 'key';

/** One colour of the bars: the groups of rows that it stands for. */
export interface Series {
  name: string;
  label: string;
  color: string;
}

/** One bar: when its bucket starts, and a number for each series. */
export type Bar = { start: number; when: string } & Record<string, number | string>;

/** Keys beyond the busiest ones share the last series: more colours would not be told apart. */
const OTHERS = 'others';
const KEY_COLORS = ['brand.6', 'teal.6', 'orange.6', 'grape.5', 'cyan.6', 'yellow.6', 'pink.5', 'lime.7'];

/** The series of these rows in a grouping, as the legend shows them; what was not called at all by no operation is left out. */
export function seriesOf(rows: readonly UsageRow[], grouping: Grouping, keys: readonly Key[]): Series[] {
  if (grouping === 'key') return seriesOfKeys(rows, keys);
  if (grouping === 'status')
    return [
      { name: '2xx', label: 'Answered (2xx)', color: 'green.7' },
      { name: '4xx', label: 'Refused (4xx)', color: 'orange.6' },
      { name: '5xx', label: 'Failed (5xx)', color: 'red.7' },
    ];
  const strays = rows.some(({ operation }) => operation === NO_OPERATION.id);
  return [...OPERATIONS, ...(strays ? [NO_OPERATION] : [])].map(({ id, short, color }) => ({
    name: id,
    label: short,
    color,
  }));
}

function seriesOfKeys(rows: readonly UsageRow[], keys: readonly Key[]): Series[] {
  const busiest = [...totalsOf(rows, 'key')].toSorted(([, one], [, other]) => other - one);
  const shown = busiest.length > KEY_COLORS.length ? busiest.slice(0, KEY_COLORS.length - 1) : busiest;
  // A key keeps its colour when another one overtakes it.
  const byId = shown.map(([id]) => id).toSorted();
  const series = shown.map(([id]) => ({
    name: id,
    label: keyLabel(keys, id),
    color: KEY_COLORS[byId.indexOf(id)] ?? 'gray.5',
  }));
  if (shown.length === busiest.length) return series;
  const count = busiest.length - shown.length;
  return [...series, { name: OTHERS, label: `${count} other keys`, color: 'gray.5' }];
}

/** "Checkout server (…wxyz)"; names need not be unique. */
export function keyLabel(keys: readonly Key[], id: string): string {
  const key = keys.find((each) => each.id === id);
  return key ? `${shorten(key.name)} (…${key.last_four})` : id;
}

function shorten(name: string): string {
  const characters = Array.from(name);
  return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : name;
}

const FORMATS = {
  minute: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }),
  hour: new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }),
  // Days are counted in UTC: in the reader's zone they would carry the wrong date.
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
};

/** A bar for every bucket of the stretch, those without requests too. */
export function barsOf(usage: Usage, grouping: Grouping, series: readonly Series[]): Bar[] {
  const format = FORMATS[usage.bucket];
  const names = new Set(series.map(({ name }) => name));
  const zeros = Object.fromEntries(series.map(({ name }) => [name, 0]));
  const bars = new Map<number, Bar>();
  for (const start of bucketStarts(usage.from, usage.to, usage.bucket)) {
    bars.set(start, { ...zeros, start, when: format.format(start) });
  }
  for (const row of usage.rows) {
    const bar = bars.get(Date.parse(row.start));
    const group = groupOf(row, grouping);
    const name = names.has(group) ? group : OTHERS;
    if (bar) bar[name] = Number(bar[name] ?? 0) + row.count;
  }
  return [...bars.values()];
}

/** The sum of each group over the whole stretch. */
export function totalsOf(rows: readonly UsageRow[], grouping: Grouping): Map<string, number> {
  const totals = new Map<string, number>();
  for (const row of rows) {
    const name = groupOf(row, grouping);
    totals.set(name, (totals.get(name) ?? 0) + row.count);
  }
  return totals;
}

function groupOf(row: UsageRow, grouping: Grouping): string {
  if (grouping === 'status') return row.status_class;
  return (grouping === 'key' ? row.key_id : row.operation) ?? NO_OPERATION.id;
}
