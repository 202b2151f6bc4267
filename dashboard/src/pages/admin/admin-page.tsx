/** The admin page: accounts, plans, invitations, lists of domains. */
import { Tabs } from '@mantine/core';
import { useAccount } from '../../api/session.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { NotFound } from '../../components/not-found.tsx';
import { AccountsTab } from './accounts-tab.tsx';
import { InvitesTab } from './invites-tab.tsx';
import { ListsTab } from './lists-tab.tsx';
import { PlansTab } from './plans-tab.tsx';

/** Shows the page to admins and "Page not found" to others. */
export function AdminPage() {
  const account = useAccount();
  if (!account.admin) return <NotFound />;
  return (
    <>
      <PageHeader title="Admin" description="Accounts, plans, invitations and lists of domains." />
      <Tabs defaultValue="accounts" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="plans">Plans</Tabs.Tab>
          <Tabs.Tab value="invites">Invitations</Tabs.Tab>
          <Tabs.Tab value="lists">Lists</Tabs.Tab>
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
        <Tabs.Panel value="lists">
          <ListsTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
