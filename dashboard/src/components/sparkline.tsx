/** Small parts of charts: the trend in a row of a table, and the names of the colors. */
import classes from './bar-chart.module.css';
import type { Series } from './bar-chart.tsx';
import { Swatch } from './state.tsx';

const WIDTH = 84;
const HEIGHT = 22;

/** Shows one bar per value, without an axis. Screen readers skip it: the row has the total. */
export function Sparkline({
  values,
  color = 'var(--ua-ink-3)',
}: {
  values: readonly number[];
  color?: string;
}) {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {values.map((value, index) => {
        const height = value === 0 ? 0 : Math.max(1, (value / highest) * (HEIGHT - 1));
        return (
          <rect
            // A value has no identity but its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            fill={color}
            x={index * step}
            y={HEIGHT - height}
            width={step * 0.72}
            height={height}
          />
        );
      })}
    </svg>
  );
}

/** Shows the names of the series with their colors. */
export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className={classes.legend}>
      {series.map(({ name, color }) => (
        <li key={name}>
          <Swatch color={color} />
          {name}
        </li>
      ))}
    </ul>
  );
}
