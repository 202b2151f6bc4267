/** The use of the plan at this moment. */
import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../../api/queries.ts';
import type { Plan } from '../../api/types.ts';
import { usageQuotaQuery } from '../../api/usage-queries.ts';
import { Figure, Figures } from '../../components/figures.tsx';
import { formatNumber } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';
import { formatMonthName, formatUtcDay } from '../../components/month-pace.ts';
import { useClock } from '../../components/relative-time.tsx';

/** Shows the limit of this minute, the month if it is limited, the keys, and the limits of work at once. */
export function PlanFigures({ plan }: { plan: Plan }) {
  return (
    <Figures>
      <MinuteFigure limit={plan.limit_per_minute} />
      {plan.monthly_quota !== null && <MonthFigure quota={plan.monthly_quota} />}
      <Figure
        label="Keys"
        value={formatNumber(plan.keys_used)}
        unit={`of ${formatNumber(plan.keys_limit)}`}
        meter={<Meter used={plan.keys_used} limit={plan.keys_limit} label="Keys" />}
      >
        Revoked and expired keys do not count
      </Figure>
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

/** Shows what is used of the monthly quota. */
function MonthFigure({ quota }: { quota: number }) {
  const use = useQuery(usageQuotaQuery).data;
  const used = use?.used ?? 0;
  return (
    <Figure
      label={use === undefined ? 'This month' : formatMonthName(use)}
      value={use === undefined ? '–' : formatNumber(used)}
      meter={<Meter used={used} limit={quota} label="Requests this month" />}
    >
      <span className="nowrap">of {formatNumber(quota)},</span> all keys together
      {use && (
        <>
          , <span className="nowrap">until {formatUtcDay(use.resets_at)}</span>
        </>
      )}
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
