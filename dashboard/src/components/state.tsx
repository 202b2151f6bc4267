/** States in rows and headers: a dot or a color, and always a word beside it. */
import type { ReactNode } from 'react';
import { getLoggedOperation } from './operations.ts';
import classes from './state.module.css';

/** Shows a dot and a word. `off` is for what has ended. */
export function State({
  meaning,
  children,
}: {
  meaning?: 'ok' | 'warn' | 'bad' | 'off';
  children: ReactNode;
}) {
  return (
    <span className={classes.state} data-meaning={meaning}>
      {children}
    </span>
  );
}

/** Shows a word in a tinted box, for what is news: "Expires in 6 days". */
export function Tag({
  meaning,
  children,
}: {
  meaning?: 'ok' | 'warn' | 'bad' | 'accent';
  children: ReactNode;
}) {
  return (
    <span className={classes.tag} data-meaning={meaning}>
      {children}
    </span>
  );
}

/** Logged if the client disconnected before a response was sent (src/http/error-responses.ts). */
const CLIENT_DISCONNECTED = 499;

/** Shows an HTTP status: amber for 4xx, red for 5xx. A 2xx is not news and keeps the color of labels. */
export function StatusCode({ status }: { status: number }) {
  return (
    <span
      className={classes.status}
      data-class={Math.floor(status / 100)}
      title={status === CLIENT_DISCONNECTED ? 'The client disconnected before the response' : undefined}
    >
      {status}
    </span>
  );
}

/** Shows a square in the color of a series. */
export function Swatch({ color }: { color: string }) {
  return <i className={classes.swatch} style={{ background: color }} aria-hidden="true" />;
}

/** Shows the short name of an operation with its color. `operation` is an operationId, or `none`. */
export function OperationName({ operation }: { operation: string }) {
  const { short, color } = getLoggedOperation(operation);
  return (
    <span className={classes.operation}>
      <Swatch color={color} />
      {short}
    </span>
  );
}
