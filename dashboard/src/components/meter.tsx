/** A limit and how much of it is used, as a row of ticks. */
import classes from './meter.module.css';

/** The share of a limit from which its meter is amber. */
export const NEAR_LIMIT = 0.8;

/**
 * Shows `used` of `limit`. Amber from 80%, unless `meaning` says otherwise: put a word beside it then.
 * `none` is for progress, which stays in ink.
 * `label` names the limit for screen readers.
 */
export function Meter({
  used,
  limit,
  label,
  tall = false,
  meaning = limit > 0 && used / limit >= NEAR_LIMIT ? 'warn' : undefined,
}: {
  used: number;
  limit: number;
  label: string;
  tall?: boolean;
  meaning?: 'ok' | 'warn' | 'bad' | 'none' | undefined;
}) {
  const text = `${used} of ${limit}`;
  return (
    <progress
      className={classes.meter}
      data-tall={tall || undefined}
      data-meaning={meaning}
      value={Math.min(used, limit)}
      max={Math.max(1, limit)}
      aria-label={label}
      aria-valuetext={text}
    >
      {text}
    </progress>
  );
}

/** Shows ticks that light up in turn while the page waits for something. Put the words beside it. */
export function WaitingTicks() {
  return (
    <span className={classes.waiting} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}
