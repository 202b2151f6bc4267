/** The admin page: health of the parts, lookup of a request, then accounts and what else is served. */
import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminHealthQuery } from '../../api/admin-queries.ts';
import { useAccount } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { NotFound } from '../../components/not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { AccountsTab } from './accounts-tab.tsx';
import classes from './admin-page.module.css';
import { TABS, useAdminState } from './admin-state.ts';
import { formatUptime } from './describe-health.ts';
import { HealthStrip } from './health-strip.tsx';
import { HealthTab } from './health-tab.tsx';
import { InviteDrawer } from './invite-drawer.tsx';
import { InvitesTab } from './invites-tab.tsx';
import { ListsTab } from './lists-tab.tsx';
import { PlansTab } from './plans-tab.tsx';
import { FoundRequestPanel, RequestLookup } from './request-lookup.tsx';
import { UsageTab } from './usage-tab.tsx';

const PANELS = {
  accounts: AccountsTab,
  usage: UsageTab,
  plans: PlansTab,
  invitations: InvitesTab,
  lists: ListsTab,
  health: HealthTab,
} as const;

/** Shows the page to administrators and "Page not found" to others. */
export function AdminPage() {
  const account = useAccount();
  return account.admin ? <AdminSheet /> : <NotFound />;
}

function AdminSheet() {
  const { tab, change } = useAdminState();
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader title="Admin" description={<Summary />}>
        <RequestLookup />
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
          Invite
        </Button>
      </PageHeader>
      <HealthStrip />
      <FoundRequestPanel />
      <Tabs
        value={tab}
        onChange={(value) => change({ tab: value ?? undefined, account: undefined })}
        keepMounted={false}
        className={classes.tabs ?? ''}
      >
        <Tabs.List className={`bleed ${classes.list ?? ''}`}>
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ value }) => {
          const Panel = PANELS[value];
          return (
            <Tabs.Panel key={value} value={value}>
              <Panel />
            </Tabs.Panel>
          );
        })}
      </Tabs>
      <InviteDrawer opened={inviting} onClose={() => setInviting(false)} />
    </>
  );
}

function Summary() {
  const health = useQuery(adminHealthQuery).data;
  const host = window.location.host;
  if (!health) return host;
  return `${host}, version ${health.version}, up for ${formatUptime(health.uptime_seconds)}`;
}
