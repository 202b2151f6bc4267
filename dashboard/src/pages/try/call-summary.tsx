/** One line about a call: status, duration, size, the share of the limit, and the id of the request. */
import type { OperationResponse } from '../../api/run-operation.ts';
import { CopyIcon } from '../../components/copy-button.tsx';
import { formatBytes, formatDuration, formatNumber, formatPercent } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';
import { StatusCode } from '../../components/state.tsx';
import { findHeader } from './use-call.ts';
import classes from './try.module.css';

/** Shows status, duration and size: "200 OK · 4 ms · 391 B". */
export function CallStatus({ response }: { response: OperationResponse }) {
  return (
    <span className={classes.status} role="status">
      {response.status < 400 ? (
        `${response.status} ${response.statusText}`
      ) : (
        <>
          <StatusCode status={response.status} /> {response.statusText}
        </>
      )}
      <span className="nowrap"> · {formatDuration(response.ms)}</span>
      <span className="nowrap" data-part="bytes">
        {' '}
        · {formatBytes(response.bytes)}
      </span>
    </span>
  );
}

/** Shows the share of the limit that a call took, and what is left. Nothing without these headers. */
export function LimitShare({ response, units = 1 }: { response: OperationResponse; units?: number }) {
  const limit = Number(findHeader(response, 'x-ratelimit-limit') ?? Number.NaN);
  const left = Number(findHeader(response, 'x-ratelimit-remaining') ?? Number.NaN);
  if (!(limit > 0) || !(left >= 0)) return null;
  return (
    <div className={classes.share}>
      <Meter used={limit - left} limit={limit} label="Requests of this key this minute" />
      <p>
        <span>
          This call took <b>{formatNumber(units)}</b> of {formatNumber(limit)} a minute,{' '}
          {formatPercent(units / limit)}
        </span>
        <span className="nowrap">{formatNumber(left)} left</span>
      </p>
    </div>
  );
}

/** Shows the id of the request as a link to its line in the log, with a copy button. */
export function RequestLink({ response }: { response: OperationResponse }) {
  const id = findHeader(response, 'x-request-id');
  if (id === undefined) return null;
  return (
    <span className={classes.request}>
      <a href={`/requests?request=${encodeURIComponent(id)}`} title="Show this request in the log">
        {id}
      </a>
      <CopyIcon text={id} what="the request ID" />
    </span>
  );
}
