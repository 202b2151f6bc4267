/** Stacked bars over time, without the chart library: recharts is only on the usage page. */
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import classes from './bar-chart.module.css';
import { computeScale, type Scale } from './chart-scale.ts';
import { formatNumber } from './format.ts';
import { Swatch } from './state.tsx';

/** One color of the bars. */
export interface Series {
  name: string;
  color: string;
}

/** One bar: a number per series, in their order. */
export interface Bar {
  /** The heading of the tooltip: "10:00 to 11:00". */
  title: string;
  /** The label under the bar. Leave most out: they may not overlap. */
  tick?: string | undefined;
  values: readonly number[];
}

const LEFT = 44;
const TOP = 8;
const BOTTOM = 26;
const GAP = 0.28;

const axisFormat = new Intl.NumberFormat('en', { notation: 'compact' });

/**
 * Shows the bars with an axis. The pointer, or the arrow keys, show the numbers of a bar. Screen readers hear
 * `label`: put a table with the same numbers on the page.
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
  const [hovered, setHovered] = useState<number | null>(null);
  const scale = computeScale(Math.max(0, ...bars.map(sumValues)), height < 140 ? 2 : 4);
  const step = Math.max(0, width - LEFT) / Math.max(1, bars.length);
  const find = (event: PointerEvent) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    const index = Math.floor(x / step);
    setHovered(index >= 0 && index < bars.length ? index : null);
  };
  const move = (event: KeyboardEvent) => {
    const next = moveAlong(event.key, hovered, bars.length);
    if (next === undefined) return;
    event.preventDefault();
    setHovered(next);
  };
  return (
    <div ref={ref} className={classes.wrap}>
      <svg
        className={`focus ${classes.chart ?? ''}`}
        height={height}
        role="img"
        aria-label={label}
        // The arrow keys show what the pointer shows.
        tabIndex={0}
        onKeyDown={move}
        onBlur={() => setHovered(null)}
        onPointerMove={find}
        onPointerLeave={() => setHovered(null)}
      >
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

/**
 * Returns the bar that a key moves to: null for none, undefined if the key has no meaning. The first arrow
 * shows the last bar, which is the newest.
 */
export function moveAlong(key: string, index: number | null, count: number): number | null | undefined {
  if (key === 'Escape') return index === null ? undefined : null;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowLeft') return index === null ? count - 1 : Math.max(0, index - 1);
  if (key === 'ArrowRight') return index === null ? count - 1 : Math.min(count - 1, index + 1);
  return undefined;
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
  series,
  x,
  step,
  scale,
  height,
}: {
  bar: Bar;
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
      {bar.tick !== undefined && (
        <text x={x + step / 2} y={height - 6} textAnchor="middle">
          {bar.tick}
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
