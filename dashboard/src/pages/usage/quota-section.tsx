/** The monthly quota of the account, and how far it lasts. */
import { useQuery } from '@tanstack/react-query';
import { usageQuotaQuery } from '../../api/usage-queries.ts';
import { formatNumber, formatPercent } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';
import {
  estimateLastDay,
  estimateMonth,
  formatMonthName,
  formatUtcDay,
  type MonthUse,
} from '../../components/month-pace.ts';
import { useClock } from '../../components/relative-time.tsx';
import classes from './quota-section.module.css';

/** Shows what is used of this month. Shows nothing if the plan has no quota, and until it is loaded. */
export function QuotaSection() {
  const quota = useQuery(usageQuotaQuery).data;
  if (!quota || quota.quota === null) return null;
  return <Quota use={quota} quota={quota.quota} />;
}

function Quota({ use, quota }: { use: MonthUse; quota: number }) {
  const pace = useClock((nowMs) => describePace(use, quota, nowMs));
  const isUsedUp = use.used >= quota;
  return (
    <section className={classes.quota} aria-labelledby="monthly-quota">
      <div>
        <h2 id="monthly-quota">{formatMonthName(use)}</h2>
        <p className={classes.figure}>
          {formatNumber(use.used)} <span>of {formatNumber(quota)} requests</span>
        </p>
      </div>
      <p className={classes.note}>
        Resets on {formatUtcDay(use.resets_at)}, 00:00 UTC
        {pace !== '' && <strong>{pace}</strong>}
      </p>
      <Meter
        tall
        used={use.used}
        limit={quota}
        label={`Requests in ${formatMonthName(use)}`}
        {...(isUsedUp && { meaning: 'bad' as const })}
      />
      <p className={classes.percent}>{formatPercent(use.used / quota)}</p>
    </section>
  );
}

/** Says what the pace so far leads to; empty on the first day of a month. */
function describePace(use: MonthUse, quota: number, nowMs: number): string {
  if (use.used >= quota) return 'Used up: requests are refused until then';
  const lastDay = estimateLastDay(use, quota, nowMs);
  if (lastDay !== null) return `Used up by ${formatUtcDay(lastDay)} at this pace`;
  const total = estimateMonth(use, nowMs);
  return total === null ? '' : `About ${formatNumber(Number(total.toPrecision(3)))} by then at this pace`;
}
