/** Sign-in by the operator's identity provider: its start, and the provider's response. */
import { ApiError } from '#errors';
import {
  filterCookies,
  getSetCookies,
  keepCookie,
  recordAudit,
  toCookieHeader,
  toHeaders,
  type AccessContext,
  type Client,
} from './access-context.ts';
import { getCookieName } from './auth-engine.ts';
import { ERROR_PATH, SUCCESS_PATH, type OidcEngine } from './oidc-engine.ts';
import type { OidcProvider } from './oidc-provider.ts';
import { OidcRefused, toRefusal, type OidcRefusal } from './oidc-refusals.ts';
import { withOidcSource } from './oidc-source.ts';
import { endSessionBefore, findSession } from './sessions.ts';

/** The parameters of a provider's response that matter (RFC 6749, RFC 9207); all others are ignored. */
export interface OidcResponse {
  code?: string | undefined;
  state?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/** The outcome of a sign-in at the provider, and the Set-Cookie headers of the response. */
export interface OidcOutcome {
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
    return await provider.call(client.isSecure, (engine) =>
      openAuthorization(engine, provider.id, invite, client),
    );
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
    return await provider.call(client.isSecure, (engine, signal) =>
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
export function requireProvider({ oidc }: Pick<AccessContext, 'oidc'>): OidcProvider {
  if (!oidc) throw new ApiError('not_found', 'This service has no sign-in by an identity provider.');
  return oidc;
}
