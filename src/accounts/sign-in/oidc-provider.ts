import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { Semaphore, openDeadline, untilAborted } from '#concurrency';
import type { AuditSource } from '../access-store.ts';
import { type AuthEngineOptions, createEngineOptions } from './auth-engine.ts';

/** The request of a provider's response, for the callbacks of better-auth, which do not pass it on. */
const sources = new AsyncLocalStorage<AuditSource>();

/** Runs `work`: `getOidcSource` returns the source in all that it calls. */
export function withOidcSource<Result>(
  { requestId, ip }: AuditSource,
  work: () => Promise<Result>,
): Promise<Result> {
  return sources.run({ requestId, ip }, work);
}

/** Returns the source of the running response, for the audit trail. */
export function getOidcSource(): AuditSource {
  return sources.getStore() ?? { requestId: null, ip: null };
}

/** Why a sign-in at the identity provider did not succeed, and what to do. */
export const OIDC_REFUSALS = {
  account_disabled: 'Your account is disabled: ask the operator of this service.',
  account_unverified:
    'There is an account with your address, but that address is not confirmed here. Sign in with the password and open the link “Confirm your email address”, or set a new password with “Forgot it?”. Then try again.',
  address_unverified:
    'The provider has not confirmed your email address. Confirm it there, then try again; or sign in with your password.',
  canceled: 'The sign-in at the provider was canceled. Try again, or sign in with your password.',
  expired: 'The sign-in took too long, or was started in another browser. Try again.',
  invitation_needed:
    'You have no account here yet, and this service needs an invitation. Open the link of your invitation and choose the provider there.',
  other_identity:
    'Your account is linked to another identity at the provider. Sign in with that one or with your password, and unlink it in the settings.',
  provider_failed:
    'The provider’s response could not be verified. Try again; if it fails again, ask the operator of this service, whose log has the reason.',
  provider_unavailable:
    'The provider does not respond. Try again in a minute, or sign in with your password.',
  sign_up_closed: 'You have no account here yet, and sign-up is closed: ask the operator for an account.',
} as const;

export type OidcRefusal = keyof typeof OIDC_REFUSALS;

export const OIDC_REFUSAL_CODES = Object.keys(OIDC_REFUSALS) as OidcRefusal[];

/** A sign-in at the provider that was refused. */
export class OidcRefused extends Error {
  override name = 'OidcRefused';
  readonly refusal: OidcRefusal;

  constructor(refusal: OidcRefusal) {
    super(OIDC_REFUSALS[refusal]);
    this.refusal = refusal;
  }
}

/** The errors of better-auth's callback. All others mean that the response could not be verified. */
const REFUSALS_BY_ERROR: Readonly<Record<string, OidcRefusal>> = {
  access_denied: 'canceled',
  account_not_linked: 'account_unverified',
  login_required: 'canceled',
  signup_disabled: 'sign_up_closed',
  server_error: 'provider_unavailable',
  state_invalid: 'expired',
  state_mismatch: 'expired',
  state_not_found: 'expired',
  temporarily_unavailable: 'provider_unavailable',
  unable_to_link_account: 'other_identity',
};

/** Returns the refusal that an error of better-auth's callback means. */
export function toRefusal(error: string): OidcRefusal {
  return Object.hasOwn(REFUSALS_BY_ERROR, error)
    ? (REFUSALS_BY_ERROR[error] ?? 'provider_failed')
    : 'provider_failed';
}

// better-auth with its plugin for a provider of OpenID Connect: discovery, state, nonce, PKCE, the exchange
// of the code and the verification of the id_token. The provider is the operator's choice, so it is
// contacted outside the guard of egress, as the mail server is.

/** The settings of the provider. */
export interface OidcOptions {
  /** The issuer, exactly as the provider's discovery document has it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name on the button of the sign-in page. */
  name: string;
}

/** The claims of a person at the provider. */
export interface OidcProfile {
  sub?: string | number | null | undefined;
  email?: unknown;
  email_verified?: unknown;
}

interface OidcEngineOptions extends AuthEngineOptions {
  oidc: OidcOptions;
  redirectUri: string;
  /** Called with verified claims before the account is looked for; throws OidcRefused. */
  onProfile: (profile: OidcProfile) => Promise<void>;
  /** Called after an account was linked to the provider. */
  onLink: (accountId: string) => void;
}

/** The paths that better-auth returns as the outcome of a callback; browsers never see them. */
export const SUCCESS_PATH = '/signed-in';
export const ERROR_PATH = '/refused';

/** Returns the name of the provider in `credentials`: a subject is unique for its issuer only. */
export function getProviderId({ issuer }: Pick<OidcOptions, 'issuer'>): string {
  return `oidc:${issuer}`;
}

/** Creates the instance for clients on TLS, or the one for other clients. */
function createOidcEngine(options: OidcEngineOptions, isSecure: boolean) {
  const shared = createEngineOptions(options, isSecure);
  return betterAuth({
    ...shared,
    account: {
      ...shared.account,
      // Links only if the provider and this service have verified the address: the defaults of better-auth.
      accountLinking: { enabled: true },
      updateAccountOnSignIn: false,
    },
    databaseHooks: {
      account: {
        create: {
          // The tokens of the provider are used once and not stored.
          before: async ({ providerId, accountId }) => ({
            data: { ...NO_TOKENS, id: createIdentityId(providerId, accountId) },
          }),
          after: async ({ userId }) => options.onLink(userId),
        },
      },
    },
    plugins: [...shared.plugins, createProvider(options)],
  });
}

/**
 * Returns the id of the row in `credentials`, made of the subject: of concurrent sign-ins, one links it.
 */
function createIdentityId(providerId: string, subject: string): string {
  return hash('sha256', JSON.stringify([providerId, subject]), 'base64url');
}

const NO_TOKENS = {
  accessToken: undefined,
  refreshToken: undefined,
  idToken: undefined,
  accessTokenExpiresAt: undefined,
  refreshTokenExpiresAt: undefined,
  scope: undefined,
};

function createProvider({ oidc, redirectUri, onProfile }: OidcEngineOptions) {
  const { issuer, clientId, clientSecret, name } = oidc;
  return genericOAuth({
    config: [
      {
        providerId: getProviderId(oidc),
        name,
        discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        redirectURI: redirectUri,
        scopes: ['openid', 'email'],
        pkce: true,
        requireIdTokenVerification: true,
        // Accounts are created by `onProfile`, with the rules of sign-up.
        disableSignUp: true,
        async mapProfileToUser(profile) {
          await onProfile(profile);
          return { name: '', image: undefined };
        },
        accountSubject({ tokens, profile }) {
          if (!tokens.idToken) throw new Error('The provider sent no id_token.');
          return String(profile.sub ?? '');
        },
      },
    ],
  });
}

export type OidcEngine = ReturnType<typeof createOidcEngine>;

/** The identity provider of the operator. It may be slow or down: calls end after a bounded time. */
export interface OidcProvider {
  /** The name on the button of the sign-in page. */
  name: string;
  /** The name of the provider in `credentials`. */
  id: string;
  /**
   * Calls `act` with the engine for clients on TLS, or for other clients. Throws OidcRefused
   * `provider_unavailable` after a bounded time, and then aborts the signal: what `act` creates later must be
   * deleted.
   */
  call<T>(
    client: { isSecure: boolean; address: string },
    act: (engine: OidcEngine, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

interface OidcProviderOptions extends Omit<OidcEngineOptions, 'redirectUri'> {
  /** Returns the service's URL, without a trailing slash. */
  getOrigin: () => string;
  /** The longest time of a call; 15 s by default. */
  timeoutMs?: number | undefined;
  now: () => number;
  onError: (error: unknown) => void;
}

/** The path of the service to which the provider sends browsers back. */
const CALLBACK_PATH = '/account/oidc/callback';
const DEFAULT_TIMEOUT_MS = 15_000;
/** The discovery document is fetched again after this time. */
const ENGINE_LIFETIME_MS = 3_600_000;
/**
 * Calls at a time. Connections of a provider that does not respond end after 300 s (the default of `fetch`),
 * so at most 16 × 300 / 15 = 320 are open.
 */
const MAX_RUNNING = 16;
const MAX_WAITING = 64;
const MAX_WAITING_PER_ADDRESS = 8;

/** Creates the provider. The first call fetches its discovery document: the service starts without it. */
export function createOidcProvider(options: OidcProviderOptions): OidcProvider {
  const { oidc, now, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const engines = new Map<boolean, { engine: Promise<OidcEngine>; openedAtMs: number }>();
  const places = new Semaphore(MAX_RUNNING, MAX_WAITING, {
    maxQueuedPerKey: MAX_WAITING_PER_ADDRESS,
    createError: () => new OidcRefused('provider_unavailable'),
  });

  function getEngine(isSecure: boolean): Promise<OidcEngine> {
    const known = engines.get(isSecure);
    if (known && now() - known.openedAtMs < ENGINE_LIFETIME_MS) return known.engine;
    const opened = { engine: openEngine(options, isSecure), openedAtMs: now() };
    engines.set(isSecure, opened);
    return opened.engine;
  }

  return {
    name: oidc.name,
    id: getProviderId(oidc),
    async call({ isSecure, address: key }, act) {
      const release = await places.acquire({ maxWaitMs: timeoutMs, key });
      const deadline = openDeadline(timeoutMs, undefined, () => new OidcRefused('provider_unavailable'));
      const opening = getEngine(isSecure);
      let isOpen = false;
      const work = opening.then((engine) => {
        isOpen = true;
        return act(engine, deadline.signal);
      });
      try {
        return await untilAborted(work, deadline.signal);
      } finally {
        deadline.close();
        release();
        // Discovery failed or hangs: the next call starts another one.
        if (!isOpen && engines.get(isSecure)?.engine === opening) engines.delete(isSecure);
      }
    },
  };
}

/** Creates the engine, which fetches the discovery document. Throws OidcRefused if it is not usable. */
async function openEngine(options: OidcProviderOptions, isSecure: boolean): Promise<OidcEngine> {
  const { oidc, getOrigin, onError } = options;
  const engine = createOidcEngine({ ...options, redirectUri: getOrigin() + CALLBACK_PATH }, isSecure);
  const { socialProviders } = await engine.$context;
  const provider = socialProviders.find(({ id }) => id === getProviderId(oidc));
  if (!provider) throw new OidcRefused('provider_unavailable');
  if (provider.issuer !== oidc.issuer) {
    const message = `OIDC_ISSUER is ${oidc.issuer}, but the provider calls itself ${String(provider.issuer)}: set it to that.`;
    onError(new Error(message));
    throw new OidcRefused('provider_failed');
  }
  return engine;
}
