/** The monthly quota: how much of it is used, and how much will be at this pace. */
import { useQuery } from '@tanstack/react-query';
import type { RouteResponse } from '../../api/types.ts';
import { usageQuotaQuery } from '../../api/usage-queries.ts';
import { formatNumber, formatPercent } from '../../components/format.ts';
import { Meter, NEAR_LIMIT } from '../../components/meter.tsx';
import { useClock } from '../../components/relative-time.tsx';
import { Tag } from '../../components/state.tsx';
import { computeProjection } from './quota-projection.ts';
import classes from './quota-strip.module.css';

type Quota = RouteResponse<'GET /account/usage/quota'> & { quota: number };

const UTC = { timeZone: 'UTC' } as const;
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', ...UTC });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', ...UTC });

/** Shows the quota. Shows nothing if the plan has none. */
export function QuotaStrip() {
  const quota = useQuery(usageQuotaQuery).data;
  if (quota === undefined || quota.quota === null) return null;
  return <Strip quota={{ ...quota, quota: quota.quota }} />;
}

function Strip({ quota: { month_start: start, resets_at: resetsAt, used, quota } }: { quota: Quota }) {
  const month = monthFormat.format(new Date(start));
  const share = quota === 0 ? 1 : used / quota;
  const pace = useClock((nowMs) => {
    const units = computeProjection(used, { startMs: Date.parse(start), endMs: Date.parse(resetsAt), nowMs });
    return units === null ? '' : formatNumber(units);
  });
  return (
    <section className={`bleed ${classes.quota ?? ''}`} aria-labelledby="quota">
      <div>
        <h2 id="quota">
          {month}{' '}
          {share >= 1 ? (
            <Tag meaning="bad">Used up</Tag>
          ) : (
            share >= NEAR_LIMIT && <Tag meaning="warn">Nearly used up</Tag>
          )}
        </h2>
        <p className={classes.figure}>
          {formatNumber(used)} <small>of {formatNumber(quota)} units</small>
        </p>
      </div>
      <p className={classes.note}>
        Resets on {dayFormat.format(new Date(resetsAt))}, 00:00 UTC
        {pace !== '' && share < 1 && (
          <>
            <br />
            <span className="strong nowrap">About {pace}</span> by then at this pace
          </>
        )}
      </p>
      <Meter
        tall
        used={used}
        limit={quota}
        label={`Units of the quota of ${month}`}
        meaning={share >= 1 ? 'bad' : share >= NEAR_LIMIT ? 'warn' : undefined}
      />
      <p className={`strong tabular ${classes.note ?? ''}`}>{formatPercent(share)}</p>
    </section>
  );
}
