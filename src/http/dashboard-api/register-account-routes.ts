import { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hideRoutes } from '../openapi.ts';
import { leaveBodiesUnread } from '../wire/body.ts';
import { readSmallJson } from '../wire/json/read-body.ts';
import { hasBody } from '../wire/linger.ts';
import type { AccountDeps } from './account-deps.ts';
import { createAccountScope } from './account-scope.ts';
import { routeAdmin } from './admin/admin-routes.ts';
import { routeExport } from './export-routes.ts';
import { guardRequest, SAFE_METHODS } from './guard-request.ts';
import { ACCOUNT_BODY } from './parse-input.ts';
import { routeKeys } from './keys-routes.ts';
import { routeLists } from './lists-routes.ts';
import { routeLogs } from './log-routes.ts';
import { routeOidc } from './oidc-routes.ts';
import { routePasswords } from './password-routes.ts';
import { routeSecondFactor } from './second-factor-routes.ts';
import { routeSessions } from './session-routes.ts';
import { routeTry } from './try-routes.ts';
import { routeUsage } from './usage-routes.ts';

/**
 * Registers the endpoints of the dashboard under /account. They accept cookies and JSON from the same origin,
 * and return data of the session's account.
 */
export async function registerAccountRoutes(app: FastifyInstance, deps: AccountDeps): Promise<void> {
  app.decorateRequest('session', null);
  await app.register(
    async (plain) => {
      const scope = createAccountScope(plain);
      hideRoutes(plain);
      scope.addHook('onRequest', (request, reply) => guardRequest(deps, request, reply));
      leaveBodiesUnread(scope);
      scope.addHook('preValidation', parseRequestBody);
      scope.setNotFoundHandler(() => {
        throw new ApiError('not_found', 'There is nothing at this path.');
      });
      routeSessions(scope, deps);
      routePasswords(scope, deps);
      routeSecondFactor(scope, deps);
      routeOidc(scope, deps);
      routeKeys(scope, deps);
      routeUsage(scope, deps);
      routeLogs(scope, deps);
      routeTry(app, scope, deps);
      routeAdmin(scope, deps);
      routeLists(scope, deps);
      routeExport(scope, deps);
    },
    { prefix: '/account' },
  );
}

/** Sets `request.body` to the members of the body, unless the route reads the body itself. */
async function parseRequestBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const isAnnounced = hasBody(request.raw) || request.headers['content-type'] !== undefined;
  if (SAFE_METHODS.has(request.method) || !isAnnounced || request.routeOptions.config.readsOwnBody) return;
  request.body = await readSmallJson(request, reply, ACCOUNT_BODY);
}
