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
import { readClient, requireSession, setCookies } from './guard-request.ts';
import { createBodyReader, members, text } from './parse-input.ts';

const password = text(1_000, 'a password');
const ANYONE = { config: { audience: 'anyone' } } as const;

/** Changes and resets a password, and verifies an address. */
export function routePasswords(scope: FastifyInstance, deps: AccountDeps): void {
  const { access, keys, now } = deps;
  const readChange = createBodyReader(members({ current_password: password, new_password: password }));
  const readForgot = createBodyReader(members({ email: text(320, 'an email address') }));
  const readReset = createBodyReader(members({ token: text(200), password }));
  const readPreview = createBodyReader(members({ token: text(200) }));
  const readVerify = createBodyReader(members({ token: text(2_000) }));

  const readNothing = createBodyReader(members({}));

  scope.post('/password', async (request, reply) => {
    const { current_password: currentPassword, new_password: newPassword } = readChange(request);
    const client = readClient(request, deps);
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
    requestPasswordReset(access, readForgot(request).email, readClient(request, deps));
    return reply.code(202).send({});
  });
  scope.post('/password/reset', ANYONE, async (request, reply) => {
    const { keysRevoked } = await resetPassword(access, readReset(request), readClient(request, deps));
    return reply.send({ keys_revoked: keysRevoked });
  });
  scope.post('/password/reset/preview', ANYONE, async (request, reply) => {
    const account = await findResetAccount(access, readPreview(request).token, readClient(request, deps));
    const isUnverified = account !== null && !account.emailVerified;
    const count = isUnverified ? await keys.countLiveKeys(account.id, now()) : 0;
    return reply.send({ keys_to_revoke: count });
  });
  scope.post('/email/resend', async (request, reply) => {
    readNothing(request);
    resendVerification(access, requireSession(request), readClient(request, deps));
    return reply.code(202).send({});
  });
  scope.post('/email/verify', ANYONE, async (request, reply) => {
    await verifyEmail(access, readVerify(request).token, readClient(request, deps));
    return reply.code(204).send();
  });
}
