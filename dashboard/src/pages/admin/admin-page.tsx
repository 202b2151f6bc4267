/** Admin: accounts, plans, invitations. */
import { Tabs } from '@mantine/core';
import { useAccount } from '../../api/session.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { NotFoundNote } from '../../components/page-states.tsx';
import { AccountsTab } from './accounts-tab.tsx';
import { InvitesTab } from './invites-tab.tsx';
import { PlansTab } from './plans-tab.tsx';

/** The page; for others than admins there is none. */
export function AdminPage() {
  const account = useAccount();
  if (!account.admin) return <NotFoundNote />;
  return (
    <>
      <PageHeader title="Admin" description="Who may use this service, and how much." />
      <Tabs defaultValue="accounts" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="plans">Plans</Tabs.Tab>
          <Tabs.Tab value="invites">Invitations</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="accounts">
          <AccountsTab />
        </Tabs.Panel>
        <Tabs.Panel value="plans">
          <PlansTab />
        </Tabs.Panel>
        <Tabs.Panel value="invites">
          <InvitesTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
