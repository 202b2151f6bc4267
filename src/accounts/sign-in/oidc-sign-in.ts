/** Sign-in by the operator's identity provider: its start, and the provider's response. */
import { ApiError } from '#errors';
import { getOAuthState } from 'better-auth/api';
import {
  type AccessContext,
  type Client,
  type Session,
  filterCookies,
  getSetCookies,
  keepCookie,
  recordAudit,
  toCookieHeader,
  toHeaders,
} from './access-context.ts';
import { getCookieName } from './auth-engine.ts';
import {
  ERROR_PATH,
  type OidcEngine,
  type OidcProfile,
  type OidcProvider,
  type OidcRefusal,
  OidcRefused,
  SUCCESS_PATH,
  getOidcSource,
  toRefusal,
  withOidcSource,
} from './oidc-provider.ts';
import { endSessionBefore, findSession } from './sessions.ts';
import { parseAccountEmail } from '../account.ts';
import { buildAccount } from '../create-account.ts';
import { assertInvited } from './invitations.ts';
import { useLink } from './links.ts';
import { type Proof, reauthenticate } from './reauthenticate.ts';
import { formatIdentityLinkedMail } from './account-mails.ts';

/** The parameters of a provider's response that matter (RFC 6749, RFC 9207); all others are ignored. */
interface OidcResponse {
  code?: string | undefined;
  state?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/** The outcome of a sign-in at the provider, and the Set-Cookie headers of the response. */
interface OidcOutcome {
  /** `pending`: the account has a second factor, and `finishSignIn` creates the session. */
  kind: 'signed-in' | 'pending' | 'refused';
  refusal: OidcRefusal | null;
  setCookies: string[];
}

/**
 * Starts a sign-in. Returns the URL of the provider to open, and the Set-Cookie headers that bind the sign-in
 * to this browser. Throws `not_found` without a provider, `unavailable` if it does not respond.
 */
export async function startOidcSignIn(
  context: AccessContext,
  { invite }: { invite?: string | undefined },
  client: Client,
): Promise<{ url: string; setCookies: string[] }> {
  const provider = requireProvider(context);
  await context.throttle.consumeRequest(client.address);
  try {
    return await provider.call(client, (engine) => openAuthorization(engine, provider.id, invite, client));
  } catch (error) {
    if (error instanceof OidcRefused)
      throw new ApiError('unavailable', error.message, { retryAfterSeconds: 30, cause: error });
    throw error;
  }
}

async function openAuthorization(
  engine: OidcEngine,
  providerId: string,
  invite: string | undefined,
  client: Client,
): Promise<{ url: string; setCookies: string[] }> {
  const { response, headers } = await engine.api.signInSocial({
    body: {
      provider: providerId,
      callbackURL: SUCCESS_PATH,
      errorCallbackURL: ERROR_PATH,
      disableRedirect: true,
      ...(invite !== undefined && { additionalData: { invite } }),
    },
    headers: toHeaders({ ...client, cookie: '' }),
    returnHeaders: true,
  });
  if (response.url === undefined) throw new Error('better-auth returned no URL of the provider.');
  return { url: response.url, setCookies: getSetCookies(headers) };
}

/**
 * Finishes a sign-in by the provider's response. A response that the provider or a stranger made up is
 * refused; the provider is contacted only if its state was created here, for this browser.
 */
export async function finishOidcSignIn(
  context: AccessContext,
  response: OidcResponse,
  client: Client,
): Promise<OidcOutcome> {
  const provider = requireProvider(context);
  try {
    return await provider.call(client, (engine, signal) =>
      readResponse(context, provider, { engine, signal, response, client }),
    );
  } catch (error) {
    if (error instanceof OidcRefused) return { kind: 'refused', refusal: error.refusal, setCookies: [] };
    throw error;
  }
}

interface CallbackCall {
  engine: OidcEngine;
  signal: AbortSignal;
  response: OidcResponse;
  client: Client;
}

async function readResponse(
  context: AccessContext,
  provider: OidcProvider,
  { engine, signal, response, client }: CallbackCall,
): Promise<OidcOutcome> {
  // Without the cookie of a session: it has no part in who signs in.
  const headers = toHeaders(keepCookie(client, getCookieName('oidc', client.isSecure)));
  const answer = await withOidcSource(client, () =>
    engine.api.callbackOAuth({
      params: { id: provider.id },
      method: 'GET',
      query: response,
      headers,
      asResponse: true,
    }),
  );
  const setCookies = getSetCookies(answer.headers);
  const clearing = filterCookies(setCookies, getCookieName('oidc', client.isSecure));
  const target = URL.parse(answer.headers.get('location') ?? '', 'http://localhost');
  if (target?.pathname !== SUCCESS_PATH) {
    const error = target?.searchParams.get('error') ?? '';
    if (error === 'internal_server_error')
      throw new ApiError('unavailable', undefined, { retryAfterSeconds: 30 });
    const refusal = toRefusal(error);
    return { kind: 'refused', refusal, setCookies: clearing };
  }
  const pending = filterCookies(setCookies, getCookieName('second-factor', client.isSecure));
  if (pending.length > 0) return { kind: 'pending', refusal: null, setCookies: [...clearing, ...pending] };
  await openSession(context, setCookies, signal, client);
  return { kind: 'signed-in', refusal: null, setCookies };
}

/** Records the sign-in. Deletes the session if the response comes too late or the account is disabled. */
async function openSession(
  context: AccessContext,
  setCookies: readonly string[],
  signal: AbortSignal,
  client: Client,
): Promise<void> {
  const session = await findSession(context, { ...client, cookie: toCookieHeader(setCookies) });
  if (!session) throw new OidcRefused('account_disabled');
  if (signal.aborted) {
    await context.store.deleteSession(session.account.id, session.id);
    throw new OidcRefused('provider_unavailable');
  }
  await endSessionBefore(context, client);
  recordAudit(context, session.account.id, 'sign_in', client.userAgent.slice(0, 120), client);
}

/** Returns the provider. Throws `not_found` if the operator has set none. */
function requireProvider({ oidc }: Pick<AccessContext, 'oidc'>): OidcProvider {
  if (!oidc) throw new ApiError('not_found', 'This service has no sign-in by an identity provider.');
  return oidc;
}

/** The accounts of people who sign in by the operator's identity provider. */
type AdmissionContext = Pick<AccessContext, 'store' | 'accounts' | 'plans' | 'signups' | 'now' | 'onError'>;

/**
 * Admits a person with verified claims: a known subject, the owner of an account with the same address, or a
 * new one, whose account is created by the rules of sign-up. Throws OidcRefused. An address that the provider
 * has not verified is refused before it is looked up, so that it reveals no accounts.
 */
export async function admitProfile(
  context: AdmissionContext,
  providerId: string,
  profile: OidcProfile,
): Promise<void> {
  const { store, accounts } = context;
  const { sub, email: address, email_verified: isVerified } = profile;
  const knownId = await store.findIdentityAccount(providerId, String(sub));
  if (knownId !== null) {
    if ((await accounts.findAccount(knownId))?.disabled) throw new OidcRefused('account_disabled');
    return;
  }
  const email = typeof address === 'string' ? parseAccountEmail(address) : null;
  // Some providers send the text.
  if (email === null || (isVerified !== true && isVerified !== 'true'))
    throw new OidcRefused('address_unverified');
  const account = await accounts.findAccountByEmail(email);
  if (account?.disabled) throw new OidcRefused('account_disabled');
  if (account && !account.emailVerified) throw new OidcRefused('account_unverified');
  if (!account) await createProviderAccount(context, email);
}

/** Creates an account without a password. The address is verified: the provider has done that. */
async function createProviderAccount(context: AdmissionContext, email: string): Promise<void> {
  const { accounts, plans, signups, now } = context;
  const state = (await getOAuthState()) as { invite?: unknown } | null;
  const invite = typeof state?.invite === 'string' ? state.invite : '';
  if (signups === 'closed') throw new OidcRefused('sign_up_closed');
  if (signups === 'invite') await consumeInvite(context, invite, email);
  const account = { ...buildAccount(plans, { email }, now()), emailVerified: true };
  // False if a concurrent request created it: better-auth then finds that account by its address.
  if (!(await accounts.insertAccount(account))) return;
  recordAudit(context, account.id, 'account.created', 'by the identity provider', getOidcSource());
}

async function consumeInvite(context: AdmissionContext, invite: string, email: string): Promise<void> {
  try {
    await assertInvited(context, invite, email);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_parameter')
      throw new OidcRefused('invitation_needed');
    throw error;
  }
  if (!(await useLink(context, 'invite', invite))) throw new OidcRefused('invitation_needed');
}

/** Records that an account was linked to the provider, and tells its owner. */
export async function reportLink(
  context: AdmissionContext & Pick<AccessContext, 'sendMail' | 'getOrigin'>,
  accountId: string,
  provider: string,
): Promise<void> {
  recordAudit(context, accountId, 'identity.linked', provider, getOidcSource());
  const account = await context.accounts.findAccount(accountId);
  if (account) await context.sendMail(formatIdentityLinkedMail(account, context.getOrigin(), provider));
}

/**
 * Unlinks the account from the provider. Throws `invalid_parameter` for a wrong proof, and for an account
 * without a password.
 */
export async function unlinkIdentity(
  context: AccessContext,
  session: Session,
  proof: Proof,
  client: Client,
): Promise<void> {
  const provider = requireProvider(context);
  const { id, email } = session.account;
  if ((await context.store.findPasswordHash(email)) === null)
    throw new ApiError(
      'invalid_parameter',
      `Set a password first: without ${provider.name} you could not sign in any more.`,
      { param: 'password' },
    );
  await reauthenticate(context, session, proof, client);
  if (!(await context.store.deleteIdentity(id, provider.id)))
    throw new ApiError('not_found', `Your account is not linked to ${provider.name}.`);
  recordAudit(context, id, 'identity.unlinked', provider.name, client);
}

/** The ways to sign in to an account. */
interface SignInMethods {
  hasPassword: boolean;
  /** Null if the account has no second factor. */
  secondFactor: { recoveryCodesLeft: number } | null;
  /** The time when the account was linked to the provider; null if it is not. */
  identityLinkedAtMs: number | null;
}

/** Returns the ways to sign in to the session's account. */
export async function findSignInMethods(
  { store, oidc }: AccessContext,
  { account }: Session,
): Promise<SignInMethods> {
  return {
    hasPassword: (await store.findPasswordHash(account.email)) !== null,
    secondFactor: await store.findSecondFactor(account.id),
    identityLinkedAtMs: oidc && (await store.findIdentityTime(account.id, oidc.id)),
  };
}
