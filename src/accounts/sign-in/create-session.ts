import {
  assertRefusal,
  filterCookies,
  getEngine,
  getSetCookies,
  toCookieHeader,
  toHeaders,
  type AccessContext,
  type Client,
} from './access-context.ts';
import { getCookieName } from './auth-engine.ts';
import { hashPassword } from './password-hash.ts';
import { replacedPassword } from './verify-password.ts';

const MAX_PASSWORD_LENGTH = 1_000;

/** The result of a sign-in with a right password. */
export interface PasswordSignIn {
  /** The Set-Cookie headers of the session or, if `isPending`, of the sign-in in progress. */
  setCookies: string[];
  /** True if there is no session yet: the account has a second factor. */
  isPending: boolean;
}

/**
 * Creates a session, or starts the second step of a sign-in. Returns null if the address or the password is
 * wrong. Throws `unauthorized` if the password is replaced meanwhile.
 */
export async function createSession(
  context: AccessContext,
  email: string,
  password: string,
  client: Client,
): Promise<PasswordSignIn | null> {
  if (email === '' || password.length > MAX_PASSWORD_LENGTH) {
    // The same work as for an address that better-auth looks for.
    await hashPassword(password.slice(0, MAX_PASSWORD_LENGTH));
    return null;
  }
  const passwordHash = await context.store.findPasswordHash(email);
  const setCookies = await signInByPassword(context, email, password, client);
  if (!setCookies) return null;
  // Compared after the session is stored: a later reset deletes it, an earlier one is visible here.
  if ((await context.store.findPasswordHash(email)) !== passwordHash) {
    await discard(context, email, setCookies, client);
    throw replacedPassword();
  }
  const pending = filterCookies(setCookies, getCookieName('second-factor', client.isSecure));
  // The session that better-auth created before the second step does not exist any more.
  return pending.length > 0 ? { setCookies: pending, isPending: true } : { setCookies, isPending: false };
}

async function signInByPassword(
  context: AccessContext,
  email: string,
  password: string,
  client: Client,
): Promise<string[] | null> {
  try {
    const { headers } = await getEngine(context, client).api.signInEmail({
      body: { email, password },
      headers: toHeaders({ ...client, cookie: '' }),
      returnHeaders: true,
    });
    return getSetCookies(headers);
  } catch (error) {
    assertRefusal(error);
    return null;
  }
}

/** Deletes what a sign-in created. */
async function discard(
  context: AccessContext,
  email: string,
  setCookies: readonly string[],
  client: Client,
): Promise<void> {
  const headers = toHeaders({ ...client, cookie: toCookieHeader(setCookies) });
  await getEngine(context, client).api.signOut({ headers });
  const account = await context.accounts.findAccountByEmail(email);
  if (account) await context.store.deletePendingSignIns(account.id);
}

/**
 * Creates a session of an account that has proved itself otherwise. Returns the Set-Cookie headers.
 */
export async function createAccountSession(
  context: AccessContext,
  accountId: string,
  client: Client,
): Promise<string[]> {
  const { headers } = await getEngine(context, client).api.createAccountSession({
    query: { accountId },
    headers: toHeaders({ ...client, cookie: '' }),
    returnHeaders: true,
  });
  return getSetCookies(headers);
}
