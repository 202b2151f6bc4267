import type { AccountDeps } from './account-deps.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { overviewSchema } from './overview-json.ts';
import { loadOverview } from './overview.ts';

/** Adds the endpoint of today's overview. */
export function routeOverview(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/overview', {
    schema: { response: { 200: overviewSchema } },
    handler: (request) => loadOverview(deps, requireSession(request).account),
  });
}
