/** The sign-in to the dashboard: its mails, the identity provider, and the state of both. */
import {
  type AccessContext,
  createAccess,
  createMailSender,
  type FailureCounts,
  type OidcOptions,
} from '#accounts/sign-in';
import type { Config } from '#config';
import type { Storage } from '#storage';
import type { FastifyBaseLogger } from 'fastify';
import { StartError } from './lifecycle.ts';

interface AccessOptions extends Pick<AccessContext, 'sendMail' | 'getOrigin'> {
  config: Config;
  storage: Storage;
  failureCounts: FailureCounts;
  now: () => number;
  logger: FastifyBaseLogger;
}

/** Opens what sends mails: SMTP_URL, else the log. */
export function openMail({
  config,
  logger,
}: Pick<AccessOptions, 'config' | 'logger'>): ReturnType<typeof createMailSender> {
  return createMailSender({ smtpUrl: config.smtpUrl, from: config.mailFrom, log: logger });
}

/** Opens the state of signing up, signing in and recovery. */
export function openAccess(options: AccessOptions): ReturnType<typeof createAccess> {
  const { config, storage, failureCounts, sendMail, getOrigin, now, logger } = options;
  return createAccess({
    store: storage.access,
    accounts: storage.accounts,
    plans: config.plans,
    failureCounts,
    signups: getSignups(config, logger),
    oidc: getOidcOptions(config),
    sendMail,
    expiresUnproven: config.smtpUrl !== null,
    getOrigin,
    now,
    onError: (err) => logger.error({ err }, 'background work for an account failed'),
  });
}

/** Returns who may sign up. By default, a public service that cannot verify addresses by mail is closed. */
export function getSignups(
  { signups, publicUrl, smtpUrl }: Pick<Config, 'signups' | 'publicUrl' | 'smtpUrl'>,
  logger: Pick<FastifyBaseLogger, 'warn'>,
): 'open' | 'invite' | 'closed' {
  if (signups !== null) return signups;
  if (publicUrl === null || smtpUrl !== null) return 'open';
  logger.warn(
    'sign-up is closed, because PUBLIC_URL is set and SMTP_URL is not: set SMTP_URL to open it, or SIGNUPS to open, invite or closed',
  );
  return 'closed';
}

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
