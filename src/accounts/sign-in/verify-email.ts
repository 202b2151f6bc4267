import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '#errors';
import { readRefusal, type AccessContext, type Client, type Session } from './access-context.ts';
import { invalidLink } from './reset-password.ts';
import { readSession } from './sign-in.ts';

/** The account that this request is signed in to; null if to none. */
const verifier = new AsyncLocalStorage<string | null>();

/**
 * Verifies the address of an account by the mailed link, which holds for 24 h. Only the account's own session
 * may: a stranger can sign up with any address, and its owner who follows the link must not vouch for the
 * stranger's password and keys. Throws `invalid_parameter` if the link has expired, `unauthorized` without a
 * session of this account.
 */
export async function verifyEmail(context: AccessContext, token: string, client: Client): Promise<void> {
  context.throttle.takeRequest(client.address);
  const session = await readSession(context, client);
  try {
    await verifier.run(session?.account.id ?? null, () =>
      context.engines.plain.api.verifyEmail({ query: { token } }),
    );
  } catch (error) {
    if (readRefusal(error) === null) throw error;
    throw invalidLink();
  }
}

/** Throws `unauthorized` unless the request in progress is signed in to this account. */
export function checkVerifier(accountId: string): void {
  if (verifier.getStore() === accountId) return;
  throw new ApiError(
    'unauthorized',
    'Sign in to the account of this address first, then confirm it. If you did not create the account, set a new password instead: this signs out whoever did and revokes its keys.',
  );
}

/** Sends the link that verifies an address once more, unless it is verified. */
export function resendVerification(context: AccessContext, { account }: Session, client: Client): void {
  context.throttle.takeRequest(client.address);
  if (account.emailVerified || !context.throttle.takeMail(account.email, 'verification')) return;
  setImmediate(() => {
    context.engines.plain.api
      .sendVerificationEmail({ body: { email: account.email } })
      .catch(context.onError);
  });
}
