import { ApiError } from '#errors';
import { parseAccountEmail } from '../account.ts';
import { recordAudit, type AccessContext, type Client, type SignedIn } from './access-context.ts';
import { createSession } from './create-session.ts';
import { endSessionBefore } from './sessions.ts';
import { verifyPassword } from './verify-password.ts';

/** The account id of failed sign-ins with an unknown address. */
const UNKNOWN_ACCOUNT_ID = '';

/**
 * Signs in, or starts a sign-in in two steps if the account has a second factor. Throws `unauthorized`, with
 * the same message and after the same work, for a wrong password, an unknown and a malformed address;
 * `rate_limit_exceeded` after too many failures.
 */
export async function signIn(
  context: AccessContext,
  { email: text, password }: { email: string; password: string },
  client: Client,
): Promise<SignedIn> {
  const email = parseAccountEmail(text) ?? '';
  const signedIn = await verifyPassword(context, client, email, () =>
    createSession(context, email, password, client),
  );
  const account = await context.accounts.findAccountByEmail(email);
  if (signedIn && account && !account.disabled) {
    if (signedIn.isPending) return { account, ...signedIn };
    await endSessionBefore(context, client);
    recordAudit(context, account.id, 'sign_in', client.userAgent.slice(0, 120), client);
    return { account, ...signedIn };
  }
  // Also for an unknown address: the commit delays the next request, which must not reveal accounts.
  const accountId = account?.id ?? UNKNOWN_ACCOUNT_ID;
  recordAudit(context, accountId, 'sign_in.failed', client.userAgent.slice(0, 120), client);
  if (signedIn && account) {
    await context.store.deleteSessions(account.id);
    await context.store.deletePendingSignIns(account.id);
  }
  throw new ApiError('unauthorized', 'The email address or the password is not right.');
}
