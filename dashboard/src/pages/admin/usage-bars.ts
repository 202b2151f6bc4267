/** The bars of the usage of all accounts. */
import type { AllUsage } from '../../api/admin-queries.ts';
import type { Bar } from '../../components/bar-chart.tsx';

const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const;
/** Every how many bars a label is shown. */
const TICK_EVERY = { hour: 4, day: 7 } as const;

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Computes a bar for each hour or day of the range, with the requests of each operation. Times are UTC. */
export function computeBars(usage: AllUsage, operations: readonly string[]): Bar[] {
  const step = STEP_MS[usage.bucket];
  const counts = new Map<string, number>();
  for (const { start, operation = 'none', count } of usage.rows) {
    const key = `${Date.parse(start)} ${operation}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  const bars: Bar[] = [];
  const first = Math.floor(Date.parse(usage.from) / step) * step;
  for (let at = first; at < Date.parse(usage.to); at += step) {
    const isTick = bars.length % TICK_EVERY[usage.bucket] === TICK_EVERY[usage.bucket] - 1;
    bars.push({
      title: formatTitle(usage.bucket, at, step),
      tick: isTick ? (usage.bucket === 'hour' ? hour : day).format(at) : undefined,
      values: operations.map((operation) => counts.get(`${at} ${operation}`) ?? 0),
    });
  }
  return bars;
}

function formatTitle(bucket: AllUsage['bucket'], at: number, step: number): string {
  if (bucket === 'day') return day.format(at);
  return `${day.format(at)}, ${hour.format(at)} to ${hour.format(at + step)} UTC`;
}
