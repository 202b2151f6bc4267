/** The layout of sign-up, sign-in and the pages that emails link to. */
import { Outlet } from '@tanstack/react-router';
import { useSessionOfOtherTabs } from '../../api/session.ts';
import { Brand } from '../../components/brand.tsx';
import { OPERATIONS } from '../../components/operations.ts';
import { ThemeToggle } from '../../components/theme-toggle.tsx';
import classes from './auth-layout.module.css';

const ABOUT = {
  validateEmail: 'Syntax, mail host, disposable and free providers, typos',
  getMetadata: 'Title, description, icons, Open Graph, language',
  generatePdf: 'HTML to pages, by a headless browser',
} as const;

/** Shows the form at the left, and what the service does at the right of a wide screen. */
export function AuthLayout() {
  useSessionOfOtherTabs();
  return (
    <div className={classes.page}>
      <div className={classes.left}>
        <header className={classes.head}>
          <Brand />
          <ThemeToggle />
        </header>
        <main className={classes.form}>
          <Outlet />
        </main>
      </div>
      <aside className={classes.about} aria-label="About this service">
        <p>
          <span>Check an address.</span>
          <span>Read a link.</span>
          <span>Print a page.</span>
        </p>
        <ul>
          {OPERATIONS.map(({ id, method, path }) => (
            <li key={id}>
              <code>
                {method} {path}
              </code>
              <span>{ABOUT[id]}</span>
            </li>
          ))}
        </ul>
      </aside>
    </div>
  );
}
