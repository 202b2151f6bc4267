/** The states of a list without rows: nothing there yet, or nothing that matches. */
import type { ReactNode } from 'react';
import classes from './empty.module.css';

const TICKS = Array.from({ length: 30 }, (_, tick) => tick * 5);

/** Shows what will be here, and the one next step. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <svg className={classes.ticks} width="148" height="22" aria-hidden="true" focusable="false">
        {TICKS.map((x) => (
          <rect key={x} className={x === 0 ? classes.first : undefined} x={x} width="3" height="22" />
        ))}
      </svg>
      <EmptyText title={title} action={action}>
        {children}
      </EmptyText>
    </div>
  );
}

/** Shows that no row matches. The text names the filter; `action` clears it. */
export function NothingMatches({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.empty} role="status">
      <EmptyText title={title} action={action}>
        {children}
      </EmptyText>
    </div>
  );
}

function EmptyText({ title, children, action }: { title: string; children: ReactNode; action: ReactNode }) {
  return (
    <>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && <div className={classes.actions}>{action}</div>}
    </>
  );
}
