/** The navigation at the side. */
import { Link, type LinkProps, useRouterState } from '@tanstack/react-router';
import { useAccount } from '../api/session.ts';
import { Icon, type IconName } from './icon.tsx';
import classes from './navigation.module.css';
import type { Operation } from './operations.ts';
import { useServedOperations } from './served-operations.ts';

interface Target {
  to: NonNullable<LinkProps['to']>;
  label: string;
  icon: IconName;
}

const PAGES: readonly Target[] = [
  { to: '/', label: 'Overview', icon: 'layoutDashboard' },
  { to: '/requests', label: 'Requests', icon: 'listDetails' },
  { to: '/usage', label: 'Usage', icon: 'chartBar' },
  { to: '/keys', label: 'Keys', icon: 'key' },
];
const TRY_PAGES: readonly (Target & { operation: Operation })[] = [
  { to: '/try/email', label: 'Email', icon: 'mail', operation: 'validateEmail' },
  { to: '/try/metadata', label: 'Metadata', icon: 'link', operation: 'getMetadata' },
  { to: '/try/pdf', label: 'PDF', icon: 'filePdf', operation: 'generatePdf' },
];
const ACCOUNT_PAGES: readonly Target[] = [
  { to: '/plan', label: 'Plan and limits', icon: 'gauge' },
  { to: '/settings', label: 'Settings', icon: 'settings' },
  { to: '/audit', label: 'Audit trail', icon: 'history' },
];
const ADMIN: Target = { to: '/admin', label: 'Admin', icon: 'shieldLock' };

/** Links to every page that is open to the account. */
export function Navigation() {
  const account = useAccount();
  const { served } = useServedOperations();
  const tryPages = TRY_PAGES.filter(({ operation }) => served.some(({ id }) => id === operation));
  return (
    <>
      <nav className={classes.nav} aria-label="Pages">
        <Links pages={PAGES} />
      </nav>
      <nav className={classes.nav} aria-label="Try it">
        <h2>Try it</h2>
        <Links pages={tryPages} />
      </nav>
      <nav className={classes.nav} aria-label="Account">
        <h2>Account</h2>
        <Links pages={account.admin ? [...ACCOUNT_PAGES, ADMIN] : ACCOUNT_PAGES} />
      </nav>
    </>
  );
}

function Links({ pages }: { pages: readonly Target[] }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return pages.map(({ to, label, icon }) => {
    const isCurrent = to === '/' ? path === '/' : path.startsWith(to);
    return (
      <Link key={to} to={to} className={classes.link} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={icon} size={16} />
        {label}
      </Link>
    );
  });
}

/** Links to the API reference, which is a page without the dashboard. */
export function ReferenceLink() {
  return (
    <nav className={classes.nav} aria-label="Documentation">
      <a className={classes.link} href="/reference">
        <Icon name="book" size={16} />
        API reference
      </a>
    </nav>
  );
}
