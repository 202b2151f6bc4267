/**
 * The page of every path. The code of a page is loaded when it is first visited; each page loads its own
 * data.
 */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { lazy, type ReactNode } from 'react';
import { sessionQuery } from './api/queries.ts';
import { formatQuery } from './api/request.ts';
import { Frame, PageNotFound } from './components/frame.tsx';
import { getOperation, OPERATIONS } from './components/operations.ts';
import { PageCrash, PageLoading } from './components/page-states.tsx';
import { REQUEST_SEARCH } from './pages/requests/request-filter.ts';

interface RouterContext {
  queryClient: QueryClient;
}

/**
 * Creates a page whose code is loaded on visit or hover. If that fails, it shows an error instead of
 * reloading.
 */
function lazyPage<Name extends string>(load: () => Promise<Record<Name, () => ReactNode>>, name: Name) {
  const page = lazy(async () => ({ default: (await load())[name] }));
  return Object.assign(page, {
    preload: async () => {
      await load().catch(() => null);
    },
  });
}

/** Creates a validator that keeps the named search parameters if they are non-empty text. */
function keepText<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Partial<Record<Name, string>> => {
    const kept: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') kept[name] = value;
    }
    return kept;
  };
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: PageNotFound,
});

const auth = createRoute({
  getParentRoute: () => root,
  id: 'auth',
  component: lazyPage(() => import('./pages/auth/auth-layout.tsx'), 'AuthLayout'),
});
const signIn = createRoute({
  getParentRoute: () => auth,
  path: '/sign-in',
  validateSearch: keepText('next', 'reason', 'step', 'refused'),
  component: lazyPage(() => import('./pages/auth/sign-in-page.tsx'), 'SignInPage'),
});
const signUp = createRoute({
  getParentRoute: () => auth,
  path: '/sign-up',
  validateSearch: keepText('invite', 'email'),
  component: lazyPage(() => import('./pages/auth/sign-up-page.tsx'), 'SignUpPage'),
});
const forgotPassword = createRoute({
  getParentRoute: () => auth,
  path: '/forgot-password',
  component: lazyPage(() => import('./pages/auth/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});
const resetPassword = createRoute({
  getParentRoute: () => auth,
  path: '/reset-password',
  validateSearch: keepText('token'),
  component: lazyPage(() => import('./pages/auth/reset-password-page.tsx'), 'ResetPasswordPage'),
});
const verifyEmail = createRoute({
  getParentRoute: () => auth,
  path: '/verify-email',
  validateSearch: keepText('token'),
  component: lazyPage(() => import('./pages/auth/verify-email-page.tsx'), 'VerifyEmailPage'),
});
const setUp = createRoute({
  getParentRoute: () => auth,
  path: '/setup',
  validateSearch: keepText('token'),
  component: lazyPage(() => import('./pages/auth/set-up-page.tsx'), 'SetUpPage'),
});

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  // Loads the session in parallel with the frame's code.
  loader: ({ context }) => void context.queryClient.prefetchQuery(sessionQuery),
  component: Frame,
});
const overview = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: lazyPage(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});
const keys = createRoute({
  getParentRoute: () => frame,
  path: '/keys',
  validateSearch: keepText('search', 'state'),
  component: lazyPage(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
});
const usage = createRoute({
  getParentRoute: () => frame,
  path: '/usage',
  validateSearch: keepText('range', 'from', 'to', 'by', 'key', 'operation'),
  component: lazyPage(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
});
const requests = createRoute({
  getParentRoute: () => frame,
  path: '/requests',
  validateSearch: keepText(...REQUEST_SEARCH),
  component: lazyPage(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
});
const keepTarget = keepText('operation', 'key');
// Links lead here with an operation and a key, or without.
const tryIt = createRoute({
  getParentRoute: () => root,
  path: '/try',
  validateSearch: keepTarget,
  beforeLoad: async ({ context, search: { operation, key } }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch(() => null);
    const asked = getOperation(operation);
    const served = OPERATIONS.filter(({ id }) => session?.operations.includes(id));
    const { page } = served.find(({ id }) => id === asked.id) ?? served[0] ?? asked;
    throw redirect({ to: page, search: { key }, replace: true });
  },
});
const tryEmail = createRoute({
  getParentRoute: () => frame,
  path: '/try/email',
  validateSearch: keepText('key'),
  component: lazyPage(() => import('./pages/try/email/email-page.tsx'), 'TryEmailPage'),
});
const tryMetadata = createRoute({
  getParentRoute: () => frame,
  path: '/try/metadata',
  validateSearch: keepText('key'),
  component: lazyPage(() => import('./pages/try/metadata/metadata-page.tsx'), 'TryMetadataPage'),
});
const tryPdf = createRoute({
  getParentRoute: () => frame,
  path: '/try/pdf',
  validateSearch: keepText('key'),
  component: lazyPage(() => import('./pages/try/pdf/pdf-page.tsx'), 'TryPdfPage'),
});
const plan = createRoute({
  getParentRoute: () => frame,
  path: '/plan',
  component: lazyPage(() => import('./pages/plan/plan-page.tsx'), 'PlanPage'),
});
const audit = createRoute({
  getParentRoute: () => frame,
  path: '/audit',
  component: lazyPage(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
});
const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  validateSearch: keepText('refused'),
  component: lazyPage(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});
const admin = createRoute({
  getParentRoute: () => frame,
  path: '/admin',
  validateSearch: keepText('tab', 'account', 'request'),
  component: lazyPage(() => import('./pages/admin/admin-page.tsx'), 'AdminPage'),
});

const tree = root.addChildren([
  tryIt,
  auth.addChildren([signIn, signUp, forgotPassword, resetPassword, verifyEmail, setUp]),
  frame.addChildren([
    overview,
    keys,
    usage,
    requests,
    tryEmail,
    tryMetadata,
    tryPdf,
    plan,
    audit,
    settings,
    admin,
  ]),
]);

/** Creates the page's only router. */
export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 150,
    defaultErrorComponent: PageCrash,
    scrollRestoration: true,
    // Plain text: the router parses values as JSON by default, which turns the token 12e34 into a number.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => formatQuery(search as Record<string, string | undefined>),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
