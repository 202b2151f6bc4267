/** Two lines over time: p95 solid, p50 dashed. */
import { useElementSize } from '@mantine/hooks';
import { thinTicks } from '../../components/bar-chart.tsx';
import classes from '../../components/bar-chart.module.css';
import { useChartCursor } from '../../components/chart-cursor.ts';
import { computeScale, type Scale } from '../../components/chart-scale.ts';
import { formatDuration } from '../../components/format.ts';
import own from './line-chart.module.css';

/** One place of the lines; null where there were no requests. */
export interface Point {
  title: string;
  tick?: string | undefined;
  upper: number | null;
  lower: number | null;
}

const LEFT = 52;
const TOP = 8;
const BOTTOM = 26;
const HEIGHT = 190;

/** Shows the lines with an axis of time. The pointer and the arrow keys show the numbers of a place. */
export function LineChart({
  label,
  color,
  points,
}: {
  label: string;
  color: string;
  points: readonly Point[];
}) {
  const { ref, width } = useElementSize();
  const scale = computeScale(Math.max(0, ...points.map(({ upper }) => upper ?? 0)));
  const step = Math.max(0, width - LEFT) / Math.max(1, points.length);
  const ticks = thinTicks(points, step);
  const { index: hovered, surface } = useChartCursor({
    label,
    count: points.length,
    left: LEFT,
    step,
    describe: (index) => describePoint(points[index]),
  });
  const shown = hovered === null ? undefined : points[hovered];
  return (
    <div ref={ref} className={classes.wrap}>
      <svg className={`focus ${classes.chart ?? ''}`} height={HEIGHT} {...surface}>
        {hovered !== null && (
          <rect
            className={classes.band}
            x={LEFT + hovered * step}
            y={TOP}
            width={step}
            height={HEIGHT - TOP - BOTTOM}
          />
        )}
        <Axis scale={scale} width={width} />
        {points.map(({ title, tick }, index) =>
          tick !== undefined && ticks.has(index) ? (
            <text key={title} x={LEFT + (index + 0.5) * step} y={HEIGHT - 6} textAnchor="middle">
              {tick}
            </text>
          ) : null,
        )}
        <Line values={points.map(({ upper }) => upper)} step={step} scale={scale} color={color} />
        <Line values={points.map(({ lower }) => lower)} step={step} scale={scale} color={color} dashed />
      </svg>
      {shown && hovered !== null && <Tip point={shown} x={LEFT + hovered * step} step={step} width={width} />}
    </div>
  );
}

function describePoint(point: Point | undefined): string {
  if (point === undefined) return '';
  return `${point.title}: p95 ${formatTime(point.upper)}, p50 ${formatTime(point.lower)}`;
}

function computeY(value: number, scale: Scale): number {
  return TOP + (1 - value / scale.top) * (HEIGHT - TOP - BOTTOM);
}

function Axis({ scale, width }: { scale: Scale; width: number }) {
  return scale.ticks.map((tick) => {
    const y = computeY(tick, scale);
    return (
      <g key={tick}>
        <line className={tick === 0 ? classes.base : classes.grid} x1={LEFT} x2={width} y1={y} y2={y} />
        <text x={LEFT - 10} y={y + 4} textAnchor="end">
          {scale.top < 1000 ? `${tick} ms` : `${tick / 1000} s`}
        </text>
      </g>
    );
  });
}

/** Draws a line with gaps where there is no value. A value between two gaps is a dot. */
function Line({
  values,
  step,
  scale,
  color,
  dashed = false,
}: {
  values: readonly (number | null)[];
  step: number;
  scale: Scale;
  color: string;
  dashed?: boolean;
}) {
  const isKnown = (index: number) => values[index] !== null && values[index] !== undefined;
  const getX = (index: number) => LEFT + (index + 0.5) * step;
  const path = values
    .map((value, index) =>
      value === null
        ? ''
        : `${isKnown(index - 1) ? 'L' : 'M'}${getX(index).toFixed(1)} ${computeY(value, scale).toFixed(1)}`,
    )
    .join('');
  return (
    <>
      <path className={own.line} d={path} stroke={color} strokeDasharray={dashed ? '3 3' : undefined} />
      {values.map((value, index) =>
        value === null || isKnown(index - 1) || isKnown(index + 1) ? null : (
          // A value has no identity but its place.
          // oxlint-disable-next-line react/no-array-index-key
          <circle key={index} cx={getX(index)} cy={computeY(value, scale)} r={2.5} fill={color} />
        ),
      )}
    </>
  );
}

function Tip({ point, x, step, width }: { point: Point; x: number; step: number; width: number }) {
  const isRight = x + step + 200 > width;
  return (
    <div className={classes.tip} style={isRight ? { right: width - x + 6 } : { left: x + step + 6 }}>
      <b>{point.title}</b>
      <dl>
        <dt>p95</dt>
        <dd>{formatTime(point.upper)}</dd>
        <dt>p50</dt>
        <dd>{formatTime(point.lower)}</dd>
      </dl>
    </div>
  );
}

function formatTime(ms: number | null): string {
  return ms === null ? 'No requests' : formatDuration(ms);
}

/** Shows which line is which. */
export function LineLegend({ color }: { color: string }) {
  return (
    <ul className={classes.legend}>
      {(['p95', 'p50'] as const).map((name) => (
        <li key={name}>
          <svg className={own.sample} width="18" height="8" aria-hidden="true" focusable="false">
            <path
              className={own.line}
              d="M0 4h18"
              stroke={color}
              strokeDasharray={name === 'p50' ? '3 3' : undefined}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
