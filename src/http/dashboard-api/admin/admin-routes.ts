/**
 * Adds the endpoints for administrators: accounts and their keys, plans, invitations, usage, a request by its
 * id, and the health of the parts. For other users these paths do not exist.
 */
import type { Plan } from '#accounts';
import { type Static, Type } from 'typebox';
import { ApiError } from '#errors';
import type { LoggedRequest } from '#usage';
import type { AccountDeps } from '../account-deps.ts';
import { type AccountScope, NO_CONTENT } from '../account-scope.ts';
import { routeAccountDetail, routeAccounts } from './accounts-routes.ts';
import { routeSystemHealth } from './health-routes.ts';
import { routeInvitations } from './invitations-routes.ts';
import { routeAllUsage } from './usage-routes.ts';
import { nullable, strict } from '../../schema.ts';
import { planJson, toPlanJson } from '../account-json.ts';
import { ADMINISTRATORS, recordAdminAction } from '../guard-request.ts';
import { loggedRequest, toLogLine } from '../log-line.ts';

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

/** Adds the endpoint of the plans, with the number of their accounts. */
function routePlanList(scope: AccountScope, { accounts, plans, capacities }: AccountDeps): void {
  const listed = strict({ name: Type.String(), ...planJson.properties, accounts: Type.Integer() });
  scope.get('/admin/plans', {
    config: ADMINISTRATORS,
    schema: { response: { 200: strict({ plans: Type.Array(listed) }) } },
    handler: async () => {
      const counts = await accounts.countAccountsByPlan();
      const describe = ([name, plan]: [string, Plan]) => ({
        name,
        ...toPlanJson(plan, capacities),
        accounts: counts.get(name) ?? 0,
      });
      return { plans: [...plans].map(describe) };
    },
  });
}

const KEY_PARAMS = Type.Object({ id: Type.String(), keyId: Type.String() });

/** Adds the endpoint that revokes a key of an account. A key that is revoked already stays as it is. */
function routeKeyRevocation(scope: AccountScope, deps: AccountDeps): void {
  const { keys, now } = deps;
  scope.delete('/admin/accounts/:id/keys/:keyId', {
    config: ADMINISTRATORS,
    schema: { params: KEY_PARAMS, response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      const { id: accountId, keyId } = request.params;
      const key = (await keys.findKey(keyId))?.key;
      if (key?.accountId !== accountId) throw new ApiError('not_found', 'The account has no such key.');
      if (await keys.revokeKey(keyId, now()))
        recordAdminAction(deps, request, {
          accountId,
          event: 'key.revoked',
          detail: key.name,
          ownEvent: 'administrator.revoked_key',
          ownDetail: keyId,
        });
      return reply.code(204).send();
    },
  });
}

const found = strict({
  ...loggedRequest.properties,
  account: strict({ id: Type.String(), email: nullable('string'), plan: nullable('string') }),
  /** Null if the key was deleted since. */
  key: Type.Union([strict({ prefix: Type.String(), last_four: Type.String() }), Type.Null()]),
});

/** Adds the endpoint that finds a logged request of any account by its id. */
function routeRequestLookup(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/admin/requests/:id', {
    config: ADMINISTRATORS,
    schema: {
      params: Type.Object({ id: Type.String() }),
      response: { 200: strict({ request: Type.Union([found, Type.Null()]) }) },
    },
    handler: async (request) => {
      const line = await deps.usage.findRequest(request.params.id.trim(), null);
      return { request: line && (await describe(deps, line)) };
    },
  });
}

async function describe({ accounts, keys }: AccountDeps, line: LoggedRequest): Promise<Static<typeof found>> {
  const account = await accounts.findAccount(line.accountId);
  const key = (await keys.findKey(line.keyId))?.key ?? null;
  return {
    ...toLogLine(line, new Map([[line.keyId, key?.name ?? '']])),
    account: { id: line.accountId, email: account?.email ?? null, plan: account?.plan ?? null },
    key: key && { prefix: key.prefix, last_four: key.lastFour },
  };
}
