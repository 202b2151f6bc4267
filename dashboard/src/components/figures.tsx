/** A strip of figures at the top of a page. */
import type { ReactNode } from 'react';
import classes from './figures.module.css';

/** Shows its <Figure>s side by side; two in a row if the window is narrow. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>;
}

/** Shows one figure: its name, the number with a small unit, a meter if there is one, and a note. */
export function Figure({
  label,
  value,
  unit,
  meter,
  children,
}: {
  label: string;
  value: string;
  /** Follows the number, in a smaller size: "ms", "%", "of 600". */
  unit?: string | undefined;
  meter?: ReactNode;
  /** The note below. */
  children?: ReactNode;
}) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd className={classes.value}>
        {value}
        {unit !== undefined && (
          <>
            {' '}
            <small>{unit}</small>
          </>
        )}
      </dd>
      {meter !== undefined && <dd className={classes.meter}>{meter}</dd>}
      {children !== undefined && <dd>{children}</dd>}
    </div>
  );
}

/**
 * Shows how `now` compares to `before`: an arrow and a percentage. Shows nothing if there is nothing to
 * compare with. Growth is green, unless `growthIsBad`.
 */
export function Change({
  now,
  before,
  growthIsBad = false,
}: {
  now: number;
  before: number | null;
  growthIsBad?: boolean;
}) {
  if (before === null || before === 0) return null;
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return <span>same as</span>;
  const isGood = percent > 0 !== growthIsBad;
  return (
    <span className={isGood ? classes.up : classes.down}>
      {percent > 0 ? '↑' : '↓'} {Math.abs(percent).toLocaleString('en')}%
    </span>
  );
}
