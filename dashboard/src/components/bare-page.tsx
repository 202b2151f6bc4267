/** The layout of pages without the account's navigation. */
import type { ReactNode } from 'react';
import classes from './bare-page.module.css';
import { Brand } from './brand.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** Shows a header with the mark and theme toggle, and the children in <main>. */
export function BarePage({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <Brand />
        <ThemeToggle />
      </header>
      <main className={classes.main}>{children}</main>
    </div>
  );
}
