/** The use of the plan at this moment. */
import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../../api/queries.ts';
import { usageQuotaQuery } from '../../api/usage-queries.ts';
import type { Plan } from '../../api/types.ts';
import { Figure, Figures } from '../../components/figures.tsx';
import { formatNumber } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';
import { useClock } from '../../components/relative-time.tsx';

/** Shows the limit of this minute, the keys, and what the account may do at once. */
export function PlanFigures({ plan }: { plan: Plan }) {
  return (
    <Figures>
      <MinuteFigure limit={plan.limit_per_minute} />
      <Figure
        label="Keys"
        value={formatNumber(plan.keys_used)}
        unit={`of ${formatNumber(plan.keys_limit)}`}
        meter={<Meter used={plan.keys_used} limit={plan.keys_limit} label="Keys" />}
      >
        Revoked and expired keys do not count
      </Figure>
      <QuotaFigure />
      <Figure label="Rendered at once" value={formatNumber(plan.shares.browser_slots)}>
        PDFs and rendered pages, all keys together
      </Figure>
      {plan.monthly_quota === null && (
        <Figure label="Requests at once" value={formatNumber(plan.shares.other_requests)}>
          Besides rendering, all keys together
        </Figure>
      )}
    </Figures>
  );
}

const UTC = { timeZone: 'UTC' } as const;
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', ...UTC });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', ...UTC });
const shortFormat = new Intl.NumberFormat('en', { notation: 'compact' });

/** Shows the units of this month. Shows nothing if the plan has no quota. */
function QuotaFigure() {
  const quota = useQuery(usageQuotaQuery).data;
  if (quota === undefined || quota.quota === null) return null;
  const month = monthFormat.format(new Date(quota.month_start));
  const reset = dayFormat.format(new Date(quota.resets_at));
  return (
    <Figure
      label={month}
      value={formatNumber(quota.used)}
      unit={`of ${quota.quota < 1_000_000 ? formatNumber(quota.quota) : shortFormat.format(quota.quota)}`}
      meter={<Meter used={quota.used} limit={quota.quota} label={`Units of ${month}`} />}
    >
      Units, reset on <span className="nowrap">{reset}</span>
    </Figure>
  );
}

function MinuteFigure({ limit }: { limit: number }) {
  const minute = useQuery(overviewQuery).data?.minute;
  const seconds = useClock((nowMs) =>
    String(Math.max(0, Math.ceil((Date.parse(minute?.resets_at ?? '') - nowMs) / 1000) || 0)),
  );
  const used = minute?.used_max_key ?? 0;
  return (
    <Figure
      label="This minute"
      value={minute === undefined ? '–' : formatNumber(used)}
      unit={`of ${formatNumber(limit)}`}
      meter={<Meter used={used} limit={limit} label="Requests of the busiest key this minute" />}
    >
      {minute?.key ? (
        <>
          <span style={{ overflowWrap: 'anywhere' }}>{minute.key.name}</span>,{' '}
          <span className="nowrap">resets in {seconds} s</span>
        </>
      ) : (
        'Your busiest key'
      )}
    </Figure>
  );
}
