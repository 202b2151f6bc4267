/** The navigation at the side. */
import { Divider, NavLink, Stack } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useAccount } from '../api/session.ts';
import { Icon, type IconName } from './icon.tsx';

const PAGES = [
  { to: '/', label: 'Overview', icon: 'layoutDashboard' },
  { to: '/keys', label: 'Keys', icon: 'key' },
  { to: '/try', label: 'Try it', icon: 'playerPlay' },
  { to: '/usage', label: 'Usage', icon: 'chartBar' },
  { to: '/requests', label: 'Request log', icon: 'listDetails' },
  { to: '/plan', label: 'Plan and limits', icon: 'gauge' },
] as const;
const ACCOUNT_PAGES = [
  { to: '/settings', label: 'Settings', icon: 'settings' },
  { to: '/audit', label: 'Audit trail', icon: 'history' },
] as const;

type Target =
  | (typeof PAGES)[number]
  | (typeof ACCOUNT_PAGES)[number]
  | { to: '/admin'; label: string; icon: IconName };

/** Links to every page that is open to the account. */
export function Navigation() {
  const account = useAccount();
  return (
    <Stack gap={2}>
      {PAGES.map((page) => (
        <PageLink key={page.to} page={page} />
      ))}
      <NavLink
        component="a"
        href="/reference"
        label="API reference"
        leftSection={<Icon name="book" />}
        style={{ borderRadius: 'var(--mantine-radius-md)' }}
      />
      <Divider my="xs" />
      {ACCOUNT_PAGES.map((page) => (
        <PageLink key={page.to} page={page} />
      ))}
      {account.admin && <PageLink page={{ to: '/admin', label: 'Admin', icon: 'shieldLock' }} />}
    </Stack>
  );
}

function PageLink({ page }: { page: Target }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const active = page.to === '/' ? path === '/' : path.startsWith(page.to);
  return (
    <NavLink
      renderRoot={(props) => <Link to={page.to} {...props} />}
      label={page.label}
      leftSection={<Icon name={page.icon} />}
      active={active}
      aria-current={active ? 'page' : undefined}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}
