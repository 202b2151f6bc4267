import { ApiError } from '#errors';
import { parseAccountEmail, type Account } from '../account.ts';
import { recordAudit, type AccessContext, type Client } from './access-context.ts';
import { createSession } from './create-session.ts';
import { findSession } from './sessions.ts';
import { verifyPassword } from './verify-password.ts';

/** The account id of failed sign-ins with an unknown address. */
const UNKNOWN_ACCOUNT_ID = '';

export interface SignedIn {
  account: Account;
  setCookies: string[];
}

/**
 * Signs in. Throws `unauthorized`, with the same message and after the same work, for a wrong password, an
 * unknown and a malformed address; `rate_limit_exceeded` after too many failures.
 */
export async function signIn(
  context: AccessContext,
  { email: text, password }: { email: string; password: string },
  client: Client,
): Promise<SignedIn> {
  const email = parseAccountEmail(text) ?? '';
  const setCookies = await verifyPassword(context, client, email, () =>
    createSession(context, email, password, client),
  );
  const account = await context.accounts.findAccountByEmail(email);
  if (setCookies && account && !account.disabled) {
    // The session that this browser had before is not used any more.
    const before = await findSession(context, client);
    if (before) await context.store.deleteSession(before.account.id, before.id);
    recordAudit(context, account.id, 'sign_in', client.userAgent.slice(0, 120), client);
    return { account, setCookies };
  }
  // Also for an unknown address: the commit delays the next request, which must not reveal accounts.
  const accountId = account?.id ?? UNKNOWN_ACCOUNT_ID;
  recordAudit(context, accountId, 'sign_in.failed', client.userAgent.slice(0, 120), client);
  if (setCookies && account) await context.store.deleteSessions(account.id);
  throw new ApiError('unauthorized', 'The email address or the password is not right.');
}
