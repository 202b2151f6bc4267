import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '#errors';
import { assertRefusal, type AccessContext, type Client, type Session } from './access-context.ts';
import { invalidLink } from './reset-password.ts';
import { findSession } from './sessions.ts';

/** The account that the request in progress is signed in to; null if none. */
const verifier = new AsyncLocalStorage<string | null>();

/**
 * Verifies the email address of an account by the mailed link, which is valid for 24 h. Requires a session of
 * the account: strangers can sign up with any address, and its owner who opens the link must not confirm a
 * stranger's password and keys. Throws `invalid_parameter` if the link has expired, `unauthorized` without a
 * session of the account.
 */
export async function verifyEmail(context: AccessContext, token: string, client: Client): Promise<void> {
  context.throttle.consumeRequest(client.address);
  const session = await findSession(context, client);
  try {
    await verifier.run(session?.account.id ?? null, () =>
      context.engines.plain.api.verifyEmail({ query: { token } }),
    );
  } catch (error) {
    assertRefusal(error);
    throw invalidLink();
  }
}

/** Throws `unauthorized` unless the request in progress is signed in to this account. */
export function assertVerifier(accountId: string): void {
  if (verifier.getStore() === accountId) return;
  throw new ApiError(
    'unauthorized',
    'Sign in to the account of this address first, then confirm it. If you did not create the account, set a new password instead: this signs out the person who did and revokes its keys.',
  );
}

/** Mails the link that verifies the email address again, unless it is verified. */
export function resendVerification(context: AccessContext, { account }: Session, client: Client): void {
  context.throttle.consumeRequest(client.address);
  if (account.emailVerified || !context.throttle.consumeMail(account.email, 'verification')) return;
  setImmediate(() => {
    context.engines.plain.api
      .sendVerificationEmail({ body: { email: account.email } })
      .catch(context.onError);
  });
}
