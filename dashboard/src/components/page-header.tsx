/** The header of a page: title, description and actions. */
import { type ReactNode, useEffect } from 'react';
import classes from './page-header.module.css';

/** Shows the header and sets the title of the tab. */
export function PageHeader({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
}) {
  useTabTitle(title);
  return (
    <div className={classes.head}>
      <div>
        <h1>{title}</h1>
        {description !== undefined && <p>{description}</p>}
      </div>
      {children !== undefined && <div className={classes.actions}>{children}</div>}
    </div>
  );
}

/** Sets the title of the browser's tab. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Utility API`;
  }, [title]);
}
