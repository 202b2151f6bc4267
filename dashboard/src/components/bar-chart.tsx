/** Stacked bars over time. */
import { useElementSize } from '@mantine/hooks';
import classes from './bar-chart.module.css';
import type { Bar, Series } from './chart-data.ts';
import { useChartCursor } from './chart-cursor.ts';
import { computeScale, type Scale } from './chart-scale.ts';
import { formatNumber } from './format.ts';
import { Swatch } from './state.tsx';

export type { Bar, Series } from './chart-data.ts';

const LEFT = 50;
const TOP = 8;
const BOTTOM = 26;
const GAP = 0.28;
/** A label with the space beside it. */
const TICK_WIDTH = 56;

const axisFormat = new Intl.NumberFormat('en', { notation: 'compact' });

/**
 * Shows the bars with an axis. The pointer and the arrow keys show the numbers of a bar. Put a table with the
 * same numbers on the page (<ChartNumbers>).
 */
export function BarChart({
  label,
  series,
  bars,
  height = 210,
}: {
  label: string;
  series: readonly Series[];
  bars: readonly Bar[];
  height?: number;
}) {
  const { ref, width } = useElementSize();
  const scale = computeScale(Math.max(0, ...bars.map(sumValues)), height < 140 ? 2 : height < 240 ? 4 : 5);
  const step = Math.max(0, width - LEFT) / Math.max(1, bars.length);
  const ticks = thinTicks(bars, step);
  const { index: hovered, surface } = useChartCursor({
    label,
    count: bars.length,
    left: LEFT,
    step,
    describe: (index) => describeBar(bars[index], series),
  });
  return (
    <div ref={ref} className={classes.wrap}>
      <svg className={`focus ${classes.chart ?? ''}`} height={height} {...surface}>
        {hovered !== null && (
          <rect
            className={classes.band}
            x={LEFT + hovered * step}
            y={TOP}
            width={step}
            height={height - TOP - BOTTOM}
          />
        )}
        <Axis scale={scale} width={width} height={height} />
        {bars.map((bar, index) => (
          <OneBar
            key={bar.title}
            bar={bar}
            tick={ticks.has(index) ? bar.tick : undefined}
            series={series}
            x={LEFT + index * step}
            step={step}
            scale={scale}
            height={height}
          />
        ))}
      </svg>
      {hovered !== null && bars[hovered] && (
        <Tip bar={bars[hovered]} series={series} x={LEFT + hovered * step} step={step} width={width} />
      )}
    </div>
  );
}

/** Returns the indexes of the labels that are shown, `step` pixels from bar to bar. */
export function thinTicks(bars: readonly { tick?: string | undefined }[], step: number): Set<number> {
  const shown = new Set<number>();
  let last = -Infinity;
  for (const [index, { tick }] of bars.entries()) {
    const isAtEnd = (bars.length - index - 0.5) * step < TICK_WIDTH / 2 - 8;
    if (tick === undefined || isAtEnd || (index - last) * step < TICK_WIDTH) continue;
    shown.add(index);
    last = index;
  }
  return shown;
}

/** Formats a bar for screen readers: "10:00 to 11:00: Email 807, Metadata 239". */
function describeBar(bar: Bar | undefined, series: readonly Series[]): string {
  if (bar === undefined) return '';
  const numbers = series.map(({ name }, index) => `${name} ${formatNumber(bar.values[index] ?? 0)}`);
  return `${bar.title}: ${numbers.join(', ')}`;
}

const sumValues = ({ values }: Bar): number => values.reduce((sum, value) => sum + value, 0);

function Axis({ scale, width, height }: { scale: Scale; width: number; height: number }) {
  return scale.ticks.map((tick) => {
    const y = computeY(tick, scale, height);
    return (
      <g key={tick}>
        <line className={tick === 0 ? classes.base : classes.grid} x1={LEFT} x2={width} y1={y} y2={y} />
        <text x={LEFT - 10} y={y + 4} textAnchor="end">
          {scale.top < 100_000 ? formatNumber(tick) : axisFormat.format(tick)}
        </text>
      </g>
    );
  });
}

function computeY(value: number, scale: Scale, height: number): number {
  return TOP + (1 - value / scale.top) * (height - TOP - BOTTOM);
}

function OneBar({
  bar,
  tick,
  series,
  x,
  step,
  scale,
  height,
}: {
  bar: Bar;
  tick: string | undefined;
  series: readonly Series[];
  x: number;
  step: number;
  scale: Scale;
  height: number;
}) {
  const starts = bar.values.map((_, index) =>
    bar.values.slice(0, index).reduce((sum, value) => sum + value, 0),
  );
  return (
    <>
      {bar.values.map((value, index) => {
        const start = starts[index] ?? 0;
        const top = computeY(start + value, scale, height);
        return value === 0 ? null : (
          <rect
            key={series[index]?.name}
            fill={series[index]?.color}
            x={x + (step * GAP) / 2}
            width={step * (1 - GAP)}
            y={top}
            height={Math.max(0.8, computeY(start, scale, height) - top)}
          />
        );
      })}
      {tick !== undefined && (
        <text x={x + step / 2} y={height - 6} textAnchor="middle">
          {tick}
        </text>
      )}
    </>
  );
}

function Tip({
  bar,
  series,
  x,
  step,
  width,
}: {
  bar: Bar;
  series: readonly Series[];
  x: number;
  step: number;
  width: number;
}) {
  const isRight = x + step + 200 > width;
  return (
    <div
      className={classes.tip}
      role="status"
      style={isRight ? { right: width - x + 6 } : { left: x + step + 6 }}
    >
      <b>{bar.title}</b>
      <dl>
        {series.map(({ name, color }, index) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>
              <Swatch color={color} />
              {name}
            </dt>
            <dd>{formatNumber(bar.values[index] ?? 0)}</dd>
          </div>
        ))}
        {series.length > 1 && (
          <div style={{ display: 'contents' }}>
            <dt className={classes.all}>All</dt>
            <dd>{formatNumber(sumValues(bar))}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
