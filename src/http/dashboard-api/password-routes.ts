import {
  changePassword,
  findResetAccount,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '#accounts/sign-in';
import { Type } from 'typebox';
import { strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { type AccountScope, NO_CONTENT } from './account-scope.ts';
import { ANYONE, getClient, requireSession, setCookies } from './guard-request.ts';
import { EMAIL, PASSWORD, PROOF, text } from './parse-input.ts';

/** Adds the endpoints that change and reset a password, and that verify an address. */
export function routePasswords(scope: AccountScope, deps: AccountDeps): void {
  routePasswordChange(scope, deps);
  routePasswordReset(scope, deps);
  routeVerification(scope, deps);
}

function routePasswordChange(scope: AccountScope, deps: AccountDeps): void {
  scope.post('/password', {
    schema: {
      body: strict({
        current_password: Type.Optional(PASSWORD),
        code: PROOF.code,
        new_password: PASSWORD,
      }),
      response: { 204: NO_CONTENT },
    },
    handler: async (request, reply) => {
      const { current_password: currentPassword, code, new_password: newPassword } = request.body;
      const passwords = { currentPassword, code, newPassword };
      const client = getClient(request, deps);
      const cookies = await changePassword(deps.access, requireSession(request), passwords, client);
      reply.removeHeader('set-cookie');
      setCookies(reply, cookies);
      return reply.code(204).send();
    },
  });
}

function routePasswordReset(scope: AccountScope, deps: AccountDeps): void {
  const { access, keys, now } = deps;
  scope.post('/password/forgot', {
    config: ANYONE,
    schema: { body: strict({ email: EMAIL }), response: { 202: strict({}) } },
    handler: async (request, reply) => {
      await requestPasswordReset(access, request.body.email, getClient(request, deps));
      return reply.code(202).send({});
    },
  });
  scope.post('/password/reset', {
    config: ANYONE,
    schema: {
      body: strict({ token: text(200), password: PASSWORD }),
      response: { 200: strict({ keys_revoked: Type.Integer() }) },
    },
    handler: async (request) => {
      const { keysRevoked } = await resetPassword(access, request.body, getClient(request, deps));
      return { keys_revoked: keysRevoked };
    },
  });
  scope.post('/password/reset/preview', {
    config: ANYONE,
    schema: {
      body: strict({ token: text(200) }),
      response: { 200: strict({ keys_to_revoke: Type.Integer() }) },
    },
    handler: async (request) => {
      const account = await findResetAccount(access, request.body.token, getClient(request, deps));
      const isUnverified = account !== null && !account.emailVerified;
      return { keys_to_revoke: isUnverified ? await keys.countLiveKeys(account.id, now()) : 0 };
    },
  });
}

function routeVerification(scope: AccountScope, deps: AccountDeps): void {
  scope.post('/email/resend', {
    schema: { body: strict({}), response: { 202: strict({}) } },
    handler: async (request, reply) => {
      await resendVerification(deps.access, requireSession(request), getClient(request, deps));
      return reply.code(202).send({});
    },
  });
  scope.post('/email/verify', {
    config: ANYONE,
    schema: { body: strict({ token: text(2_000) }), response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      await verifyEmail(deps.access, request.body.token, getClient(request, deps));
      return reply.code(204).send();
    },
  });
}
