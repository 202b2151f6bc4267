import { ApiError } from '#errors';
import {
  getEngine,
  getSetCookies,
  recordAudit,
  rethrowApiError,
  toHeaders,
  type AccessContext,
  type Client,
  type Session,
} from './access-context.ts';
import { IDLE_MS, LIFETIME_MS } from './auth-engine.ts';

/**
 * Returns the session of a request; null if there is none, it has ended, was idle for 24 h, is older than
 * 7 days, or its account is disabled.
 */
export async function findSession(context: AccessContext, client: Client): Promise<Session | null> {
  if (!client.cookie.includes('utility-api-session=')) return null;
  const engine = getEngine(context, client);
  let response;
  try {
    response = await engine.api.getSession({ headers: toHeaders(client), returnHeaders: true });
  } catch (error) {
    rethrowApiError(error);
    throw new ApiError('unavailable', undefined, { retryAfterSeconds: 30, cause: error });
  }
  if (!response.response) return null;
  const { session, user } = response.response;
  const account = await context.accounts.findAccount(user.id);
  if (account === null || account.disabled) return null;
  if (context.now() - session.createdAt.getTime() >= LIFETIME_MS) {
    await context.store.deleteSession(user.id, session.id);
    return null;
  }
  return {
    id: session.id,
    account,
    createdAtMs: session.createdAt.getTime(),
    hasSecondFactor: user.twoFactorEnabled === true,
    setCookies: getSetCookies(response.headers),
  };
}

/** Deletes the session that this browser had before, which it does not use any more. */
export async function endSessionBefore(context: AccessContext, client: Client): Promise<void> {
  const before = await findSession(context, client);
  if (before) await context.store.deleteSession(before.account.id, before.id);
}

/** Ends this session. Returns the Set-Cookie headers that clear its cookie. */
export async function signOut(context: AccessContext, session: Session, client: Client): Promise<string[]> {
  await context.store.deleteSession(session.account.id, session.id);
  recordAudit(context, session.account.id, 'sign_out', '', client);
  return clearCookies(context, client);
}

/** Ends all sessions of the account. Returns the Set-Cookie headers that clear this one's cookie. */
export async function signOutEverywhere(
  context: AccessContext,
  session: Session,
  client: Client,
): Promise<string[]> {
  await context.store.deleteSessions(session.account.id);
  recordAudit(context, session.account.id, 'session.ended_everywhere', '', client);
  return clearCookies(context, client);
}

/** Returns the Set-Cookie headers that clear the session's cookie. */
export async function clearCookies(context: AccessContext, client: Client): Promise<string[]> {
  const response = await getEngine(context, client).api.signOut({
    headers: toHeaders({ ...client, cookie: '' }),
    returnHeaders: true,
  });
  return getSetCookies(response.headers);
}

/** Returns the account's live sessions, newest first. */
export function listSessions(
  { store, now }: AccessContext,
  accountId: string,
): ReturnType<AccessContext['store']['listSessions']> {
  return store.listSessions(accountId, now() - IDLE_MS, now() - LIFETIME_MS);
}
