import { ApiError } from '#errors';
import { parseAccountEmail, type Account } from '../account.ts';
import {
  judgePassword,
  readRefusal,
  readSetCookies,
  recordAudit,
  toHeaders,
  type AccessContext,
  type Client,
  type Session,
} from './access-context.ts';
import { IDLE_MS, LIFETIME_MS } from './auth-engine.ts';
import { hashPassword } from './password-hash.ts';

/** Whose failures those at unknown addresses are. */
const NOBODY = '';

export interface SignedIn {
  account: Account;
  setCookies: string[];
}

/** Signs in. Throws `unauthorized` in the same words and after the same work for a wrong password and an unknown address, `rate_limit_exceeded` where guessing is slowed down. */
export async function signIn(
  context: AccessContext,
  { email: text, password }: { email: string; password: string },
  client: Client,
): Promise<SignedIn> {
  const email = parseAccountEmail(text) ?? '';
  const answer = await judgePassword(context, client, email, () =>
    checkPassword(context, email, password, client),
  );
  const account = await context.accounts.findAccountByEmail(email);
  if (answer && account && !account.disabled) {
    // What this browser was signed in with before is nobody's any more.
    const before = await readSession(context, client);
    if (before) await context.store.deleteSession(before.account.id, before.id);
    recordAudit(context, account.id, 'sign_in', client.userAgent.slice(0, 120), client.requestId);
    return { account, setCookies: answer };
  }
  // Of an unknown address, too: the commit delays whatever request comes next, which must not tell.
  const owner = account?.id ?? NOBODY;
  recordAudit(context, owner, 'sign_in.failed', client.userAgent.slice(0, 120), client.requestId);
  if (answer && account) await context.store.deleteSessions(account.id);
  throw new ApiError('unauthorized', 'The e-mail address or the password is not right.');
}

async function checkPassword(
  { engines }: AccessContext,
  email: string,
  password: string,
  client: Client,
): Promise<string[] | null> {
  if (email === '' || password.length > 1_000) {
    await hashPassword(password.slice(0, 1_000));
    return null;
  }
  const engine = client.isSecure ? engines.secure : engines.plain;
  const headers = toHeaders({ ...client, cookie: '' });
  try {
    const answer = await engine.api.signInEmail({ body: { email, password }, headers, returnHeaders: true });
    return readSetCookies(answer.headers);
  } catch (error) {
    if (readRefusal(error) !== null) return null;
    throw error;
  }
}

/** The session of a request, or null: none, ended, idle for 24 h, older than 7 days, or of a disabled account. */
export async function readSession(context: AccessContext, client: Client): Promise<Session | null> {
  if (!client.cookie.includes('utility-api-session=')) return null;
  const engine = client.isSecure ? context.engines.secure : context.engines.plain;
  let answer;
  try {
    answer = await engine.api.getSession({ headers: toHeaders(client), returnHeaders: true });
  } catch (error) {
    readRefusal(error);
    throw new ApiError('unavailable', undefined, { retryAfterSeconds: 30, cause: error });
  }
  const found = answer.response?.session;
  const owner = found && (await context.store.findSessionOwner(found.id));
  if (!found || !owner || owner.account.disabled) return null;
  if (context.now() - owner.startedAtMs >= LIFETIME_MS) {
    await context.store.deleteSession(owner.account.id, found.id);
    return null;
  }
  return { id: found.id, account: owner.account, setCookies: readSetCookies(answer.headers) };
}

/** Ends the session of this browser; gives the headers that clear its cookie. */
export async function signOut(context: AccessContext, session: Session, client: Client): Promise<string[]> {
  await context.store.deleteSession(session.account.id, session.id);
  recordAudit(context, session.account.id, 'sign_out', '', client.requestId);
  return clearCookies(context, client);
}

/** Ends every session of the account. */
export async function signOutEverywhere(
  context: AccessContext,
  session: Session,
  client: Client,
): Promise<string[]> {
  await context.store.deleteSessions(session.account.id);
  recordAudit(context, session.account.id, 'session.ended_everywhere', '', client.requestId);
  return clearCookies(context, client);
}

export async function clearCookies({ engines }: AccessContext, client: Client): Promise<string[]> {
  const engine = client.isSecure ? engines.secure : engines.plain;
  const answer = await engine.api.signOut({
    headers: toHeaders({ ...client, cookie: '' }),
    returnHeaders: true,
  });
  return readSetCookies(answer.headers);
}

/** The account's live sessions. */
export function listSessions(
  { store, now }: AccessContext,
  accountId: string,
): ReturnType<AccessContext['store']['listSessions']> {
  return store.listSessions(accountId, now() - IDLE_MS, now() - LIFETIME_MS);
}
