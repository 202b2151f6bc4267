/** The endpoints of the dashboard under /account. */
export { registerAccountRoutes } from './register-account-routes.ts';
export type { AccountDeps } from './account-deps.ts';
