import type { AccessStore } from '../access-store.ts';
import type { AccountStore, Plans } from '../account.ts';
import type { SendMail } from './account-mails.ts';
import { createRandomText } from '../random-text.ts';
import type { AccessContext } from './access-context.ts';
import { createAuthEngines, type AuthEngineOptions } from './auth-engine.ts';
import { type FailureCounts, createFailureThrottle, createMemoryFailureCounts } from './failure-throttle.ts';
import { admitProfile, reportLink } from './oidc-sign-in.ts';
import { type OidcOptions, type OidcProvider, createOidcProvider, getProviderId } from './oidc-provider.ts';
import { createWorkGate } from './password.ts';

export interface AccessOptions {
  store: AccessStore;
  accounts: AccountStore;
  plans: Plans;
  /** Sign-up in the dashboard: open to all, to people with an invitation, or to none. */
  signups: 'open' | 'invite' | 'closed';
  /** The operator's identity provider; none by default. */
  oidc?: OidcOptions | null;
  /** The longest time of a call of the provider; 15 s by default. */
  oidcTimeoutMs?: number | undefined;
  sendMail: SendMail;
  /** Returns the service's URL for links in mails, without a trailing slash. */
  getOrigin: () => string;
  /** The counts of the throttle against guessing; by default in memory. */
  failureCounts?: FailureCounts;
  now: () => number;
  /** Receives errors that happen outside a request. */
  onError: (error: unknown) => void;
}

/** argon2id keeps a core busy: two hashes at a time leave the other cores to the API. */
const PASSWORD_WORK = { slots: 2, maxQueue: 40, maxQueuePerCaller: 10 };

/** Audit events, with their addresses, and ended keys are deleted after this many days. */
export const AUDIT_RETENTION_DAYS = 90;
/** Expired sessions and links, and what is older than that, are deleted once an hour. */
const PRUNE_INTERVAL_MS = 3_600_000;
const HISTORY_MS = AUDIT_RETENTION_DAYS * 86_400_000;

/** Creates the state that signing up, signing in and recovery share; `close` stops its timer. */
export async function createAccess(options: AccessOptions): Promise<AccessContext & { close(): void }> {
  const { store, now, onError } = options;
  const engine: AuthEngineOptions = {
    database: store.authDatabase,
    secret: await store.findOrCreateSecret('sign-in', createRandomText(43)),
    onLog: (message, details) => onError(new Error(`sign-in: ${message}`, { cause: details[0] })),
  };
  const engines = createAuthEngines(engine);
  const oidc = options.oidc ? openProvider(options, engine, options.oidc) : null;
  const gate = createWorkGate(PASSWORD_WORK);
  const prune = setInterval(() => {
    store.pruneAccess(now(), now() - HISTORY_MS).catch(onError);
  }, PRUNE_INTERVAL_MS);
  prune.unref();
  const throttle = createFailureThrottle(options.failureCounts ?? createMemoryFailureCounts(now));
  return { ...options, engines, oidc, gate, throttle, close: () => clearInterval(prune) };
}

/** The start of messages that anyone can cause by opening the callback with a made-up state. */
const STATE_MESSAGE = /\bstate\b/i;

function openProvider(options: AccessOptions, engine: AuthEngineOptions, oidc: OidcOptions): OidcProvider {
  const { onError } = options;
  return createOidcProvider({
    ...options,
    ...engine,
    oidc,
    timeoutMs: options.oidcTimeoutMs,
    onLog: (message, details) => {
      if (!STATE_MESSAGE.test(message)) engine.onLog(message, details);
    },
    onProfile: (profile) => admitProfile(options, getProviderId(oidc), profile),
    onLink: (accountId) => void reportLink(options, accountId, oidc.name).catch(onError),
  });
}
