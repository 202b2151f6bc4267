/** The layout of an account's pages. Without a session it opens the sign-in page. */
import { Burger } from '@mantine/core';
import { useDisclosure, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { findOwnEnding, clearAccountData, useSessionOfOtherTabs } from '../api/session.ts';
import { AccountMenu } from './account-menu.tsx';
import { BarePage } from './bare-page.tsx';
import { Brand } from './brand.tsx';
import classes from './frame.module.css';
import { MinuteMeter } from './minute-meter.tsx';
import { Navigation, ReferenceLink } from './navigation.tsx';
import { NotFound } from './not-found.tsx';
import { LoadError, PageLoading } from './page-states.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

// A chunk of its own: those who have an account never load it.
const FrontDoorPage = lazy(async () => ({
  default: (await import('../pages/front-door/front-door-page.tsx')).FrontDoorPage,
}));

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
  if (session.data.account === null) return <SignedOut hasFrontDoor={session.data.front_door} />;
  return (
    <SignedInFrame accountId={session.data.account.id}>
      <Outlet />
    </SignedInFrame>
  );
}

/** Shows the page of an unknown path: inside the frame if there is a session. */
export function PageNotFound() {
  const session = useQuery(sessionQuery);
  if (session.data === undefined && !session.isError) return <PageLoading />;
  const account = session.data?.account;
  if (!account) {
    return (
      <BarePage>
        <NotFound />
      </BarePage>
    );
  }
  return (
    <SignedInFrame accountId={account.id}>
      <NotFound />
    </SignedInFrame>
  );
}

/**
 * Shows the front door to a visitor of the first page, else opens the sign-in page. Decided once: the session
 * of an account that was shown here has ended.
 */
function SignedOut({ hasFrontDoor }: { hasFrontDoor: boolean }) {
  const router = useRouter();
  const [isVisitor] = useState(() => lastAccountId === null && router.state.location.pathname === '/');
  if (!isVisitor || !hasFrontDoor) return <SignInRedirect />;
  return (
    <Suspense fallback={<PageLoading />}>
      <FrontDoorPage />
    </Suspense>
  );
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
  const narrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });
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

function SignedInFrame({ accountId, children }: { accountId: string; children: ReactNode }) {
  useReloadOnOtherAccount(accountId);
  const { opened, toggle, button, isHidden, covered } = useMenu();
  return (
    <div className={classes.app}>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <header className={classes.topbar}>
        <Brand />
        <Burger
          ref={button}
          opened={opened}
          onClick={toggle}
          size="sm"
          w={44}
          h={44}
          aria-label={opened ? 'Close the menu' : 'Open the menu'}
          aria-expanded={opened}
        />
      </header>
      {/* The closed menu, and the content that the open one covers, must not be focusable. */}
      <aside
        className={classes.side}
        aria-label="Navigation"
        data-open={opened || undefined}
        inert={isHidden}
      >
        <div className={classes.brand}>
          <Brand />
        </div>
        <Navigation />
        <div className={classes.end}>
          <MinuteMeter />
          <ReferenceLink />
          <div className={classes.who}>
            <AccountMenu />
            <ThemeToggle />
          </div>
        </div>
      </aside>
      <main className={classes.sheet} id="content" tabIndex={-1} inert={covered}>
        {children}
        <div id="overlays" />
      </main>
    </div>
  );
}
