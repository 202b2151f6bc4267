/** A call that failed: what is wrong, and what to do. */
import { Icon } from '../../components/icon.tsx';
import type { OperationResponse } from '../../api/run-operation.ts';
import { findHeader } from './use-call.ts';
import classes from './try.module.css';

interface ErrorBody {
  error?: string;
  message?: string;
  param?: string;
}

/** Shows the error of a response with its identifier, parameter and remedy. Nothing for a 2xx. */
export function CallProblem({ response }: { response: OperationResponse }) {
  if (response.status < 400) return null;
  const { error, message, param } = parseErrorBody(response);
  const retryAfter = findHeader(response, 'retry-after');
  return (
    <div className={classes.problem} data-server={response.status >= 500 || undefined} role="alert">
      <Icon name="alertTriangle" />
      <div>
        <p>
          <b>{message ?? `The service responded with ${response.status} and no explanation.`}</b>
        </p>
        <p>
          {error !== undefined && (
            <>
              <code>{error}</code>
              {param !== undefined && (
                <>
                  {' '}
                  in <code>{param}</code>
                </>
              )}
              .{' '}
            </>
          )}
          {retryAfter !== undefined && <>Try again in {retryAfter} s. </>}
          {error !== undefined && (
            <a href={`/reference/errors#${encodeURIComponent(error)}`}>About this error</a>
          )}
        </p>
      </div>
    </div>
  );
}

function parseErrorBody({ body }: OperationResponse): ErrorBody {
  if (body.kind !== 'json') return {};
  const value = JSON.parse(body.text) as unknown;
  return typeof value === 'object' && value !== null ? value : {};
}
