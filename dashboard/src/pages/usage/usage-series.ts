/** Converts usage rows to the series of a stacked chart. */
import type { Key, Usage, UsageRow } from '../../api/types.ts';
import { formatKeyName } from '../../components/api-key.ts';
import type { Bar } from '../../components/chart-data.ts';
import { NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { formatBucket, formatTick } from './bucket-labels.ts';
import { listBucketStarts } from './usage-ranges.ts';

/** The members by which bars are stacked. */
export type Grouping = 'operation' | 'status' | 'key';

/** One color of the bars. */
export interface UsageSeries {
  id: string;
  name: string;
  color: string;
}

/** The series of all keys but the busiest: more colors could not be distinguished. */
const OTHERS = 'others';
const OTHERS_COLOR = 'var(--ua-ink-3)';
const KEY_COLORS = ['email', 'meta', 'pdf', '4', '5', '6', '7'].map((name) => `var(--ua-chart-${name})`);

/** Returns the series of a grouping in the legend's order. "None" is included only if it has requests. */
export function computeSeries(
  rows: readonly UsageRow[],
  grouping: Grouping,
  keys: readonly Key[],
): UsageSeries[] {
  if (grouping === 'key') return computeKeySeries(rows, keys);
  if (grouping === 'status')
    return [
      { id: '2xx', name: 'Succeeded (2xx)', color: 'var(--ua-chart-email)' },
      { id: '4xx', name: 'Rejected (4xx)', color: 'var(--ua-warn)' },
      { id: '5xx', name: 'Failed (5xx)', color: 'var(--ua-bad)' },
    ];
  const hasNone = rows.some(({ operation }) => operation === NO_OPERATION.id);
  return [...OPERATIONS, ...(hasNone ? [NO_OPERATION] : [])].map(({ id, short, color }) => ({
    id,
    name: short,
    color,
  }));
}

function computeKeySeries(rows: readonly UsageRow[], keys: readonly Key[]): UsageSeries[] {
  const busiest = [...computeTotals(rows, 'key')].toSorted(([, one], [, other]) => other - one);
  const shown = busiest.slice(0, KEY_COLORS.length);
  // The color depends on the id, so that it stays when the order changes.
  const byId = shown.map(([id]) => id).toSorted();
  const series = shown.map(([id]) => ({
    id,
    name: formatKeyLabel(keys, id),
    color: KEY_COLORS[byId.indexOf(id)] ?? OTHERS_COLOR,
  }));
  if (shown.length === busiest.length) return series;
  const count = busiest.length - shown.length;
  return [
    ...series,
    { id: OTHERS, name: `${count} other ${count === 1 ? 'key' : 'keys'}`, color: OTHERS_COLOR },
  ];
}

/** Formats the name of the key `id`, or the id if the key is not in the list. */
export function formatKeyLabel(keys: readonly Key[], id: string): string {
  const key = keys.find((each) => each.id === id);
  return key ? formatKeyName(key) : id;
}

/** Returns a bar for every bucket of the range, including empty ones. */
export function computeBars(usage: Usage, grouping: Grouping, series: readonly UsageSeries[]): Bar[] {
  const starts = listBucketStarts(usage.from, usage.to, usage.bucket);
  const places = new Map(series.map(({ id }, index) => [id, index]));
  const counts = new Map(starts.map((start) => [start, series.map(() => 0)]));
  for (const row of usage.rows) {
    const values = counts.get(Date.parse(row.start));
    const place = places.get(getGroup(row, grouping)) ?? places.get(OTHERS);
    if (values && place !== undefined) values[place] = (values[place] ?? 0) + row.count;
  }
  return starts.map((start) => ({
    title: formatBucket(start, usage.bucket),
    tick: formatTick(start, usage.bucket, starts.length),
    values: counts.get(start) ?? [],
  }));
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

/** Returns the sum of each series over all bars. */
export function computeSums(bars: readonly Bar[]): number[] {
  return bars.reduce<number[]>(
    (sums, { values }) => values.map((value, index) => value + (sums[index] ?? 0)),
    [],
  );
}
