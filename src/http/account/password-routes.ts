import {
  changePassword,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '#accounts';
import type { FastifyInstance } from 'fastify';
import type { AccountDeps } from './account-deps.ts';
import { readClient, requireSession, setCookies } from './guard-request.ts';
import { createBodyReader, members, text } from './read-input.ts';

const password = text(1_000, 'a password');
const ANYONE = { config: { audience: 'anyone' } } as const;

/** Changing and resetting a password, and confirming an address. */
export function routePasswords(scope: FastifyInstance, deps: AccountDeps): void {
  const { access } = deps;
  const readChange = createBodyReader(members({ current_password: password, new_password: password }));
  const readForgot = createBodyReader(members({ email: text(320, 'an e-mail address') }));
  const readReset = createBodyReader(members({ token: text(200), password }));
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
    await resetPassword(access, readReset(request), readClient(request, deps));
    return reply.code(204).send();
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
