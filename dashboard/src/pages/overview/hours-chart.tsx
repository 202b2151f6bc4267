/** The last 24 hours as bars by operation. */
import type { Overview } from '../../api/types.ts';
import { type Bar, BarChart } from '../../components/bar-chart.tsx';
import { ChartNumbers } from '../../components/chart-numbers.tsx';
import { formatCount } from '../../components/format.ts';
import { NO_OPERATION, OPERATIONS } from '../../components/operations.ts';
import { Section } from '../../components/section.tsx';
import { Legend } from '../../components/sparkline.tsx';

const HOUR_MS = 3_600_000;
const HOURS_PER_TICK = 3;

/** Shows one bar per hour, in UTC as the figures of the day. */
export function HoursChart({ hours }: { hours: Overview['by_hour'] }) {
  const hasNone = hours.some(({ operations }) => operations.some(({ operation }) => operation === 'none'));
  const shown = [...OPERATIONS, ...(hasNone ? [NO_OPERATION] : [])];
  const series = shown.map(({ short, color }) => ({ name: short, color }));
  const bars = hours.map((hour) =>
    toBar(
      hour,
      shown.map(({ id }) => id),
    ),
  );
  const total = hours.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <Section title="Last 24 hours" actions={<Legend series={series} />}>
      <BarChart
        label={`Requests per hour by operation, ${formatCount(total, 'request')} in 24 hours`}
        series={series}
        bars={bars}
      />
      <ChartNumbers label="Requests per hour" first="Hour, UTC" series={series} bars={bars} />
    </Section>
  );
}

function toBar({ start, operations }: Overview['by_hour'][number], shown: readonly string[]): Bar {
  const startMs = Date.parse(start);
  const hour = new Date(startMs).getUTCHours();
  return {
    title: `${formatHour(startMs)} to ${formatHour(startMs + HOUR_MS)}`,
    tick: hour % HOURS_PER_TICK === 0 ? formatHour(startMs) : undefined,
    values: shown.map((id) => operations.find(({ operation }) => operation === id)?.requests ?? 0),
  };
}

function formatHour(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(11, 16);
}
