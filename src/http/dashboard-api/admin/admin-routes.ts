import type { AccountDeps } from '../account-deps.ts';
import type { AccountScope } from '../account-scope.ts';
import { routeAccountDetail } from './account-detail.ts';
import { routeAccounts } from './accounts-routes.ts';
import { routeSystemHealth } from './health-routes.ts';
import { routeInvitations } from './invitations-routes.ts';
import { routeKeyRevocation } from './keys-routes.ts';
import { routePlanList } from './plans-routes.ts';
import { routeRequestLookup } from './requests-routes.ts';
import { routeAllUsage } from './usage-routes.ts';

/**
 * Adds the endpoints for administrators: accounts and their keys, plans, invitations, usage, a request by its
 * id, and the health of the parts. For other users these paths do not exist.
 */
export function routeAdmin(scope: AccountScope, deps: AccountDeps): void {
  routeAccounts(scope, deps);
  routeAccountDetail(scope, deps);
  routeKeyRevocation(scope, deps);
  routePlanList(scope, deps);
  routeInvitations(scope, deps);
  routeAllUsage(scope, deps);
  routeRequestLookup(scope, deps);
  routeSystemHealth(scope, deps);
}
