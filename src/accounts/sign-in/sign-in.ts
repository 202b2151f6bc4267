import { ApiError } from '#errors';
import { parseAccountEmail } from '../account.ts';
import {
  type AccessContext,
  type Client,
  type SignedIn,
  assertRefusal,
  filterCookies,
  getEngine,
  getSetCookies,
  recordAudit,
  toCookieHeader,
  toHeaders,
  toWorkCaller,
} from './access-context.ts';
import { endSessionBefore } from './sessions.ts';
import type { AccessStore } from '../access-store.ts';
import { hashPassword, isPassword } from './password.ts';
import { getCookieName } from './auth-engine.ts';

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
  if (await context.throttle.consumeFailureEntry(client.address, email))
    recordAudit(context, accountId, 'sign_in.failed', client.userAgent.slice(0, 120), client);
  if (signedIn && account) {
    await context.store.deleteSessions(account.id);
    await context.store.deletePendingSignIns(account.id);
  }
  throw new ApiError('unauthorized', 'The email address or the password is not right.');
}

/**
 * Runs `verify`, which returns null for a wrong password, within the throttle of failures and the gate of
 * password work.
 */
export async function verifyPassword<T>(
  context: Pick<AccessContext, 'throttle' | 'gate'>,
  client: Client,
  email: string,
  verify: () => Promise<T | null>,
): Promise<T | null> {
  const { throttle, gate } = context;
  const attempt = await throttle.beginAttempt(client.address, email);
  let result: T | null;
  try {
    result = await gate(await toWorkCaller(context, client, email), verify);
  } catch (error) {
    await attempt.undo();
    throw error;
  }
  if (result !== null) await attempt.succeed();
  return result;
}

/** Returns the hash of the account's password, null if `password` is not that password. */
export async function findMatchingHash(
  store: AccessStore,
  email: string,
  password: string,
): Promise<string | null> {
  const hash = await store.findPasswordHash(email);
  return hash !== null && (await isPassword(password, hash)) ? hash : null;
}

/**
 * Returns the error of a password that was replaced while it was verified, which takes tens of milliseconds.
 * It must have no effect after a reset: it would let in the person whom the reset has just signed out.
 */
export function replacedPassword(): ApiError {
  return new ApiError('unauthorized', 'The password was replaced at this moment: sign in with the new one.');
}

const MAX_PASSWORD_LENGTH = 1_000;

/** The result of a sign-in with a right password. */
interface PasswordSignIn {
  /** The Set-Cookie headers of the session or, if `isPending`, of the sign-in in progress. */
  setCookies: string[];
  /** True if there is no session yet: the account has a second factor. */
  isPending: boolean;
}

/**
 * Creates a session, or starts the second step of a sign-in. Returns null if the address or the password is
 * wrong. Throws `unauthorized` if the password is replaced meanwhile.
 */
async function createSession(
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
