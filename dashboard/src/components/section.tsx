/** A titled part of a page. It has no box: space separates it from the others. */
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

/** Shows title, description and content. `actions` are right of the title. */
export function Section({
  title,
  description,
  actions,
  hiddenTitle = false,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** Shows the title to screen readers only. */
  hiddenTitle?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head} data-hidden={hiddenTitle || undefined}>
        <div>
          <h2 id={id}>{title}</h2>
          {description !== undefined && <p>{description}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
