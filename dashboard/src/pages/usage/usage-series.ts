/** Usage rows as the series of a stacked chart. */
import type { Usage, UsageRow } from '../../api/types.ts';
import { OPERATIONS } from '../../components/operations.ts';
import { bucketStarts } from './usage-ranges.ts';

/** By what the bars are stacked. */
export type Grouping = 'operation' | 'status';

/** One colour of the bars. */
export interface Series {
  name: string;
  label: string;
  color: string;
}

/** One bar: when its bucket starts, and a number for each series. */
export type Bar = { start: number; when: string } & Record<string, number | string>;

/** The series of a grouping. */
export function seriesOf(grouping: Grouping): Series[] {
  if (grouping === 'operation')
    return OPERATIONS.map(({ id, short, color }) => ({ name: id, label: short, color }));
  return [
    { name: '2xx', label: 'Answered (2xx)', color: 'green.7' },
    { name: '4xx', label: 'Refused (4xx)', color: 'orange.6' },
    { name: '5xx', label: 'Failed (5xx)', color: 'red.7' },
  ];
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
export function barsOf(usage: Usage, grouping: Grouping): Bar[] {
  const format = FORMATS[usage.bucket];
  const zeros = Object.fromEntries(seriesOf(grouping).map(({ name }) => [name, 0]));
  const bars = new Map<number, Bar>();
  for (const start of bucketStarts(usage.from, usage.to, usage.bucket)) {
    bars.set(start, { ...zeros, start, when: format.format(start) });
  }
  for (const row of usage.rows) {
    const bar = bars.get(Date.parse(row.start));
    if (bar) bar[seriesName(row, grouping)] = Number(bar[seriesName(row, grouping)] ?? 0) + row.count;
  }
  return [...bars.values()];
}

/** The sum of each series over the whole stretch. */
export function totalsOf(rows: UsageRow[], grouping: Grouping): Map<string, number> {
  const totals = new Map<string, number>();
  for (const row of rows) {
    const name = seriesName(row, grouping);
    totals.set(name, (totals.get(name) ?? 0) + row.count);
  }
  return totals;
}

function seriesName(row: UsageRow, grouping: Grouping): string {
  return grouping === 'operation' ? row.operation : row.status_class;
}
