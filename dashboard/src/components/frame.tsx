/** The layout of an account's pages. Without a session it opens the sign-in page. */
import { AppShell, Burger, Group, ScrollArea } from '@mantine/core';
import { useDisclosure, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { findOwnEnding, clearAccountData, useSessionOfOtherTabs } from '../api/session.ts';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { Navigation } from './navigation.tsx';
import { LoadError, PageLoading } from './page-states.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** The last account of this page. If it is set and the session has no account, the session has ended. */
let lastAccountId: string | null = null;

/** Shows header, navigation and the page of the current path. */
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
  if (session.data.account === null) return <SignInRedirect />;
  return <SignedInFrame accountId={session.data.account.id} />;
}

/** Opens the sign-in page, with the path to return to. Computed once, because navigation changes the path. */
function SignInRedirect() {
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
    clearAccountData(client);
    void router.navigate({ to: '/sign-in', search, replace: true });
  }, [client, router, search]);
  return <PageLoading />;
}

/** Reloads the page if another tab signed in to another account: everything on it belongs to the old one. */
function useReloadOnOtherAccount(accountId: string): void {
  useEffect(() => {
    if (lastAccountId !== null && lastAccountId !== accountId) location.reload();
    lastAccountId = accountId;
  }, [accountId]);
}

/**
 * Returns the state of the menu of a narrow screen. Escape closes it. Navigation closes it and focuses the
 * content, so that Tab and screen readers start there as on a page load.
 */
function useMenu() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const covered = narrow && opened;
  const shownPath = useRef(path);
  useEffect(() => {
    if (shownPath.current === path) return;
    close();
    if (covered) return;
    shownPath.current = path;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [path, covered, close]);
  const button = useRef<HTMLButtonElement>(null);
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !covered) return;
    close();
    button.current?.focus();
  });
  return { opened, toggle, button, isHidden: narrow && !opened, covered };
}

function SignedInFrame({ accountId }: { accountId: string }) {
  useReloadOnOtherAccount(accountId);
  const { opened, toggle, button, isHidden, covered } = useMenu();
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
              ref={button}
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
      {/* The closed menu, and the content that the open one covers, must not be focusable. */}
      <AppShell.Navbar p="sm" aria-label="Pages" inert={isHidden}>
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
