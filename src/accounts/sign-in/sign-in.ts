import { ApiError } from '#errors';
import { parseAccountEmail, type Account } from '../account.ts';
import {
  assertRefusal,
  getEngine,
  getSetCookies,
  recordAudit,
  toHeaders,
  verifyPassword,
  type AccessContext,
  type Client,
} from './access-context.ts';
import { hashPassword } from './password-hash.ts';
import { findSession } from './sessions.ts';

/** The account id of failed sign-ins with an unknown address. */
const UNKNOWN_ACCOUNT_ID = '';
const MAX_PASSWORD_LENGTH = 1_000;

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
    recordAudit(context, account.id, 'sign_in', client.userAgent.slice(0, 120), client.requestId);
    return { account, setCookies };
  }
  // Also for an unknown address: the commit delays the next request, which must not reveal accounts.
  const accountId = account?.id ?? UNKNOWN_ACCOUNT_ID;
  recordAudit(context, accountId, 'sign_in.failed', client.userAgent.slice(0, 120), client.requestId);
  if (setCookies && account) await context.store.deleteSessions(account.id);
  throw new ApiError('unauthorized', 'The email address or the password is not right.');
}

/** Creates a session. Returns its Set-Cookie headers, null if the address or the password is wrong. */
async function createSession(
  context: AccessContext,
  email: string,
  password: string,
  client: Client,
): Promise<string[] | null> {
  if (email === '' || password.length > MAX_PASSWORD_LENGTH) {
    // The same work as for an address that better-auth looks for.
    await hashPassword(password.slice(0, MAX_PASSWORD_LENGTH));
    return null;
  }
  const headers = toHeaders({ ...client, cookie: '' });
  try {
    const response = await getEngine(context, client).api.signInEmail({
      body: { email, password },
      headers,
      returnHeaders: true,
    });
    return getSetCookies(response.headers);
  } catch (error) {
    assertRefusal(error);
    return null;
  }
}
