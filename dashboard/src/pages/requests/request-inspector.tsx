/** Everything that the log knows about one request, beside the list. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { keysQuery } from '../../api/queries.ts';
import type { LoggedRequest } from '../../api/types.ts';
import { formatMaskedKey } from '../../components/api-key.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { formatCount, formatDuration, formatLogTime, formatNumber } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { Inspector, type InspectorMoves } from '../../components/inspector.tsx';
import { NO_OPERATION, getLoggedOperation } from '../../components/operations.ts';
import { StatusCode } from '../../components/state.tsx';
import { explainRequest } from './explain-request.ts';
import { isBatch } from './request-names.ts';
import classes from './requests.module.css';
import { TimeSpent } from './time-spent.tsx';

const utcDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' });

/** Shows the request. */
export function RequestInspector({ request, moves }: { request: LoggedRequest; moves: InspectorMoves }) {
  return (
    <Inspector title="Request" moves={moves} footer={<Footer request={request} />}>
      <p className={classes.what}>
        <StatusCode status={request.status} />
        {request.error === null ? (
          <strong>Succeeded</strong>
        ) : (
          <strong className="mono">{request.error}</strong>
        )}
      </p>
      <RequestFacts request={request} />
      {request.phases.length > 0 && (
        <>
          <h3>Where the time went</h3>
          <TimeSpent request={request} />
        </>
      )}
      <Meaning request={request} />
      <h3>Not stored</h3>
      <p className={classes.text}>
        Parameters, bodies and responses: no addresses, URLs or documents, and no address of the client.
      </p>
    </Inspector>
  );
}

function RequestFacts({ request }: { request: LoggedRequest }) {
  const { ms, timeout_ms: timeoutMs, units, failed_items: failed, param } = request;
  return (
    <Facts>
      <Fact label="Request ID" copy={request.request_id}>
        <span className="mono">{request.request_id}</span>
      </Fact>
      <Fact label="Time">
        <time className="tabular" dateTime={request.at}>
          {utcDay.format(new Date(request.at))}, {formatLogTime(request.at)} UTC
        </time>
      </Fact>
      <Fact label="Operation">
        <OperationFact request={request} />
      </Fact>
      {param !== null && (
        <Fact label="Parameter">
          {param === 'unknown' ? 'One that does not exist' : <span className="mono">{param}</span>}
        </Fact>
      )}
      {failed !== null && <Fact label="Failed items">{formatNumber(failed)}</Fact>}
      <Fact label="Duration">
        <span className="tabular">{formatDuration(ms)}</span>
        {timeoutMs !== null && <span className="dim"> of {formatDuration(timeoutMs)} allowed</span>}
      </Fact>
      <Fact label="Key">
        <KeyFact request={request} />
      </Fact>
      {request.limit_per_minute !== null && request.limit_remaining !== null && (
        <Fact label="Limit">
          <span className="tabular">
            {formatNumber(request.limit_remaining)} of {formatNumber(request.limit_per_minute)} left
          </span>
          {units !== null && <span className="dim"> after {formatCount(units, 'unit')}</span>}
        </Fact>
      )}
    </Facts>
  );
}

function OperationFact({ request }: { request: LoggedRequest }) {
  const { operation, method, path } = request;
  if (method === null || path === null) {
    return operation === NO_OPERATION.id ? 'None: an unknown path' : getLoggedOperation(operation).short;
  }
  return (
    <span className="mono">
      {method} {path}
    </span>
  );
}

function KeyFact({ request }: { request: LoggedRequest }) {
  const key = useQuery(keysQuery).data?.find(({ id }) => id === request.key_id);
  if (!key) return request.key_name;
  return (
    <>
      <Link to="/keys" search={{ search: key.last_four }}>
        {request.key_name}
      </Link>{' '}
      <span className="mono dim">{formatMaskedKey(key)}</span>
    </>
  );
}

function Meaning({ request }: { request: LoggedRequest }) {
  const explanation = explainRequest(request);
  if (explanation === null || request.error === null) return null;
  const { error } = request;
  return (
    <>
      <h3>What it means</h3>
      <p className={classes.text}>{markCode(explanation.cause)}</p>
      <h3>What to do</h3>
      <p className={classes.text}>{markCode(explanation.remedy)}</p>
      <p className={classes.links}>
        {error !== 'disconnected' && <a href={`/reference/errors#${error}`}>{error} in the reference</a>}
        <Link to="/requests" search={{ error, request: request.request_id }}>
          All with this error
        </Link>
      </p>
    </>
  );
}

/** Formats text between backticks as code. */
function markCode(text: string): ReactNode {
  return text.split('`').map((part, index) =>
    // The parts of a constant text have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
  );
}

function Footer({ request }: { request: LoggedRequest }) {
  const { operation, key_id: key } = request;
  const link = `${window.location.origin}/requests?request=${encodeURIComponent(request.request_id)}`;
  return (
    <>
      {operation !== NO_OPERATION.id && !isBatch(request) && (
        <Button
          variant="default"
          leftSection={<Icon name="playerPlay" size={15} />}
          renderRoot={(props) => <Link to="/try" search={{ operation, key }} {...props} />}
        >
          Try it
        </Button>
      )}
      <CopyButton text={link} label="Copy link" variant="default" />
    </>
  );
}
