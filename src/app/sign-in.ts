/** The settings of sign-in by an identity provider. */
import type { OidcOptions } from '#accounts/sign-in';
import type { Config } from '#config';
import { StartError } from './lifecycle.ts';

/**
 * Returns the settings of the identity provider, null if none is set. Throws StartError if some are missing.
 */
export function getOidcOptions(config: Config): OidcOptions | null {
  const {
    oidcIssuer: issuer,
    oidcClientId: clientId,
    oidcClientSecret: clientSecret,
    oidcName: name,
  } = config;
  if (issuer !== null && clientId !== null && clientSecret !== null)
    return { issuer, clientId, clientSecret, name };
  const values = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const missing = Object.entries(values).flatMap(([env, value]) => (value === null ? [env] : []));
  if (missing.length === Object.keys(values).length) return null;
  throw new StartError(
    `Single sign-on needs ${Object.keys(values).join(', ')}: set ${missing.join(' and ')} too, or unset all of them.`,
  );
}
