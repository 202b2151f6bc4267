/**
 * better-auth with its plugin for a provider of OpenID Connect: discovery, state, nonce, PKCE, the exchange
 * of the code and the verification of the id_token. The provider is the operator's choice, so it is contacted
 * outside the guard of egress, as the mail server is.
 */
import { hash } from 'node:crypto';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { createEngineOptions, type AuthEngineOptions } from './auth-engine.ts';

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

export interface OidcEngineOptions extends AuthEngineOptions {
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
export function createOidcEngine(options: OidcEngineOptions, isSecure: boolean) {
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
