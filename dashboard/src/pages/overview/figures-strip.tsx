/** The figures of today beside yesterday's, and the limit of this minute. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { Change, Figure, Figures } from '../../components/figures.tsx';
import { formatDuration, formatNumber } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';
import { useClock } from '../../components/relative-time.tsx';
import classes from './overview.module.css';

/** Shows four figures. */
export function FiguresStrip({ overview }: { overview: Overview }) {
  const { today, day_before: before } = overview;
  const [p95, unit] = today.p95_ms === null ? ['–'] : formatDuration(today.p95_ms).split(' ');
  return (
    <Figures>
      <Figure label="Requests today" value={formatNumber(today.requests)}>
        {before.requests === 0 ? (
          'None yesterday until this time'
        ) : (
          <span title={`${formatNumber(before.requests)} until this time of yesterday`}>
            <SinceYesterday now={today.requests} before={before.requests} />{' '}
            <span className="nowrap">at this time</span>
          </span>
        )}
      </Figure>
      <ErrorFigure overview={overview} />
      <Figure label="Response time, p95" value={p95 ?? '–'} unit={unit}>
        {today.p50_ms === null ? (
          'No requests yet'
        ) : (
          <>
            95% are faster. p50 is <span className="nowrap">{formatDuration(today.p50_ms)}</span>
          </>
        )}
      </Figure>
      <MinuteFigure minute={overview.minute} />
    </Figures>
  );
}

/** Shows the change in words: "↑ 12% from yesterday". */
function SinceYesterday(change: { now: number; before: number; growthIsBad?: boolean }) {
  return (
    <span className="nowrap">
      <Change {...change} /> {Math.round((change.now / change.before - 1) * 100) === 0 ? '' : 'from '}
      yesterday
    </span>
  );
}

function ErrorFigure({ overview: { today, day_before: before } }: { overview: Overview }) {
  const share = computeShare(today);
  return (
    <Figure label="Errors" value={today.requests === 0 ? '–' : (share * 100).toFixed(1)} unit="%">
      {today.errors === 0 ? (
        today.requests === 0 ? (
          'No requests yet'
        ) : (
          'No errors today'
        )
      ) : (
        <>
          {before.errors > 0 && (
            <>
              <SinceYesterday now={share} before={computeShare(before)} growthIsBad />.{' '}
            </>
          )}
          <span className="nowrap">{formatNumber(today.client_errors)} of 4xx,</span>{' '}
          <span className="nowrap">{formatNumber(today.server_errors)} of 5xx</span>
        </>
      )}
    </Figure>
  );
}

function computeShare({ requests, errors }: { requests: number; errors: number }): number {
  return requests === 0 ? 0 : errors / requests;
}

function MinuteFigure({ minute }: { minute: Overview['minute'] }) {
  const { key, limit, used_max_key: used, resets_at: resetsAt } = minute;
  const seconds = useClock((nowMs) => String(Math.max(0, Math.ceil((Date.parse(resetsAt) - nowMs) / 1000))));
  return (
    <Figure
      label="This minute"
      value={formatNumber(used)}
      unit={`of ${formatNumber(limit)}`}
      meter={<Meter used={used} limit={limit} label="Requests of the busiest key this minute" />}
    >
      {key === null ? (
        'No requests this minute'
      ) : (
        <span className={classes.busiest}>
          <span>
            <Link to="/keys" className="truncated" title={`${key.name}, your busiest key`}>
              {key.name}
            </Link>
            ,
          </span>
          <span className="nowrap">resets in {seconds} s</span>
        </span>
      )}
    </Figure>
  );
}
