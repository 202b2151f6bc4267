import { ApiError } from '#errors';
import type { FastifyInstance } from 'fastify';
import { openBody, watchPace } from '../body.ts';
import type { AccountDeps } from './account-deps.ts';
import { routeAdmin } from './admin-routes.ts';
import { guardRequest } from './guard-request.ts';
import { routeKeys } from './keys-routes.ts';
import { routeLogs } from './log-routes.ts';
import { routePasswords } from './password-routes.ts';
import { routeSessions } from './session-routes.ts';
import { routeTry } from './try-routes.ts';
import { routeUsage } from './usage-routes.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** Registers the endpoints of the dashboard under /account: by cookie alone, JSON alone, from the same origin alone, each row by the session's account. */
export async function registerAccountRoutes(app: FastifyInstance, deps: AccountDeps): Promise<void> {
  app.decorateRequest('session', null);
  await app.register(
    async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
        route.bodyLimit ??= MAX_BODY_BYTES;
      });
      scope.addHook('onRequest', (request, reply) => guardRequest(deps, request, reply));
      scope.addHook('preParsing', async (request, reply, payload) => {
        if (request.raw.headers.expect !== undefined) reply.raw.writeContinue();
        watchPace(request, reply);
        return openBody(request, payload);
      });
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
        try {
          done(null, JSON.parse(body as string));
        } catch (error) {
          done(new ApiError('invalid_json', undefined, { cause: error }));
        }
      });
      scope.setNotFoundHandler(() => {
        throw new ApiError('not_found', 'There is nothing at this path.');
      });
      routeSessions(scope, deps);
      routePasswords(scope, deps);
      routeKeys(scope, deps);
      routeUsage(scope, deps);
      routeLogs(scope, deps);
      routeTry(app, scope, deps);
      routeAdmin(scope, deps);
    },
    { prefix: '/account' },
  );
}
