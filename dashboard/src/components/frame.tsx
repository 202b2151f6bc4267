/** The frame around every page of an account: navigation, theme, account menu; it leads to the sign-in page when there is no session. */
import { AppShell, Burger, Group, ScrollArea } from '@mantine/core';
import { useDisclosure, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { findOwnEnding, forgetAccountData, useSessionOfOtherTabs } from '../api/session.ts';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { Navigation } from './navigation.tsx';
import { LoadError, PageLoading } from './page-states.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** The account that was seen last in this page's life: then a missing one means that its session ended. */
let lastAccountId: string | null = null;

/** The frame with the page of the current path in it. */
export function Frame() {
  useSessionOfOtherTabs();
  const session = useQuery(sessionQuery);
  if (session.data === undefined) {
    if (!session.isError) return <PageLoading />;
    return (
      <main style={{ maxWidth: 560, margin: '15vh auto', padding: 16 }}>
        <LoadError error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  }
  if (session.data.account === null) return <ToSignIn />;
  return <SignedInFrame accountId={session.data.account.id} />;
}

/** Leads to the sign-in page, with what to come back to. Decided once: the address already changes while it leads there. */
function ToSignIn() {
  const router = useRouter();
  const [search] = useState(() => {
    const own = findOwnEnding();
    if (own) return own;
    const { href } = router.state.location;
    return { ...(lastAccountId !== null && { reason: 'ended' }), ...(href !== '/' && { next: href }) };
  });
  const client = useQueryClient();
  useEffect(() => {
    lastAccountId = null;
    forgetAccountData(client);
    void router.navigate({ to: '/sign-in', search, replace: true });
  }, [client, router, search]);
  return <PageLoading />;
}

function SignedInFrame({ accountId }: { accountId: string }) {
  useEffect(() => {
    // Another tab signed in to another account: nothing on this page is of it.
    if (lastAccountId !== null && lastAccountId !== accountId) location.reload();
    lastAccountId = accountId;
  }, [accountId]);
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // What is out of sight is out of reach: the closed menu, and what the open one covers.
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const covered = narrow && opened;
  const shownPath = useRef(path);
  useEffect(() => {
    if (shownPath.current === path) return;
    close();
    if (covered) return;
    shownPath.current = path;
    // As a new page would: the next Tab is in its content, and screen readers begin there.
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [path, covered, close]);
  const burger = useRef<HTMLButtonElement>(null);
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !covered) return;
    close();
    burger.current?.focus();
  });
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              ref={burger}
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close the menu' : 'Open the menu'}
              aria-expanded={opened}
            />
            <Brand />
          </Group>
          <Group gap={6} wrap="nowrap">
            <ThemeToggle />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Pages" inert={narrow && !opened}>
        <AppShell.Section grow component={ScrollArea} type="auto">
          <Navigation />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} inert={covered} style={{ outline: 'none' }}>
        <div style={{ maxWidth: 1120, margin: '0 auto' }}>
          <Outlet />
        </div>
        <div id="overlays" />
      </AppShell.Main>
    </AppShell>
  );
}
