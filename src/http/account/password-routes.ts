import {
  changePassword,
  findResetAccount,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '#accounts/sign-in';
import type { FastifyInstance } from 'fastify';
import type { AccountDeps } from './account-deps.ts';
import { getClient, requireSession, setCookies } from './guard-request.ts';
import { createBodyParser, members, text } from './parse-input.ts';

const password = text(1_000, 'a password');
const ANYONE = { config: { audience: 'anyone' } } as const;

/** Adds the endpoints that change and reset a password, and that verify an address. */
export function routePasswords(scope: FastifyInstance, deps: AccountDeps): void {
  const { access, keys, now } = deps;
  const parseChange = createBodyParser(members({ current_password: password, new_password: password }));
  const parseForgot = createBodyParser(members({ email: text(320, 'an email address') }));
  const parseReset = createBodyParser(members({ token: text(200), password }));
  const parsePreview = createBodyParser(members({ token: text(200) }));
  const parseVerify = createBodyParser(members({ token: text(2_000) }));

  const parseEmpty = createBodyParser(members({}));

  scope.post('/password', async (request, reply) => {
    const { current_password: currentPassword, new_password: newPassword } = parseChange(request);
    const client = getClient(request, deps);
    const cookies = await changePassword(
      access,
      requireSession(request),
      { currentPassword, newPassword },
      client,
    );
    reply.removeHeader('set-cookie');
    setCookies(reply, cookies);
    return reply.code(204).send();
  });
  scope.post('/password/forgot', ANYONE, async (request, reply) => {
    requestPasswordReset(access, parseForgot(request).email, getClient(request, deps));
    return reply.code(202).send({});
  });
  scope.post('/password/reset', ANYONE, async (request, reply) => {
    const { keysRevoked } = await resetPassword(access, parseReset(request), getClient(request, deps));
    return reply.send({ keys_revoked: keysRevoked });
  });
  scope.post('/password/reset/preview', ANYONE, async (request, reply) => {
    const account = await findResetAccount(access, parsePreview(request).token, getClient(request, deps));
    const isUnverified = account !== null && !account.emailVerified;
    const count = isUnverified ? await keys.countLiveKeys(account.id, now()) : 0;
    return reply.send({ keys_to_revoke: count });
  });
  scope.post('/email/resend', async (request, reply) => {
    parseEmpty(request);
    resendVerification(access, requireSession(request), getClient(request, deps));
    return reply.code(202).send({});
  });
  scope.post('/email/verify', ANYONE, async (request, reply) => {
    await verifyEmail(access, parseVerify(request).token, getClient(request, deps));
    return reply.code(204).send();
  });
}
