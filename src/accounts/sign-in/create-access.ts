import { formatKeysDisabledMail } from './account-mails.ts';
import { createRandomText } from '../random-text.ts';
import { type AccessContext, recordAudit } from './access-context.ts';
import { createAuthEngines, type AuthEngineOptions } from './auth-engine.ts';
import { type FailureCounts, createFailureThrottle, createMemoryFailureCounts } from './failure-throttle.ts';
import { admitProfile, reportLink } from './oidc-sign-in.ts';
import { type OidcOptions, type OidcProvider, createOidcProvider, getProviderId } from './oidc-provider.ts';
import { createWorkGate } from './password.ts';

type OptionNames = 'store' | 'accounts' | 'plans' | 'signups' | 'sendMail' | 'getOrigin' | 'now' | 'onError';

export interface AccessOptions extends Pick<AccessContext, OptionNames> {
  /** The operator's identity provider; none by default. */
  oidc?: OidcOptions | null;
  /** The longest time of a call of the provider; 15 s by default. */
  oidcTimeoutMs?: number | undefined;
  /** False if unproven accounts do not expire, because their owners get no mails; default true. */
  expiresUnproven?: boolean;
  /** The counts of the throttle against guessing; by default in memory. */
  failureCounts?: FailureCounts;
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
    expireUnproven(options).catch(onError);
  }, PRUNE_INTERVAL_MS);
  prune.unref();
  const throttle = createFailureThrottle(options.failureCounts ?? createMemoryFailureCounts(now));
  return { ...options, engines, oidc, gate, throttle, close: () => clearInterval(prune) };
}

/** Days without use until the keys of an unproven account are disabled, then days until it is deleted. */
const [IDLE_DAYS, NOTICE_DAYS] = [7, 30];

/**
 * Disables the keys of unproven accounts that are not used, after a mail, and deletes the accounts later. A
 * replica acts on an account on the day that it has counted. Both counted days and the clock must allow a
 * deletion, so that a clock that jumps deletes none. Without SMTP, keys that were disabled before work again.
 */
export async function expireUnproven(
  context: Pick<AccessContext, 'accounts' | 'store' | 'now' | 'onError' | 'sendMail' | 'getOrigin'> &
    Pick<AccessOptions, 'expiresUnproven'>,
): Promise<void> {
  const { accounts, sendMail, getOrigin, now, expiresUnproven = true } = context;
  const idle = await accounts.countIdleDays(expiresUnproven ? IDLE_DAYS : 0, now());
  for (const { id, email, idleDays, keysDisabledAtMs } of idle) {
    if (!expiresUnproven) {
      if (keysDisabledAtMs !== null) await accounts.updateAccount(id, { keysDisabledAtMs: null }, now());
    } else if (keysDisabledAtMs === null) {
      // Without the mail they work for another day.
      if (!(await sendMail(formatKeysDisabledMail({ email }, getOrigin())))) continue;
      await accounts.updateAccount(id, { keysDisabledAtMs: now() }, now());
      recordAudit(context, id, 'keys.disabled', '', { requestId: null, ip: null });
    } else if (idleDays >= NOTICE_DAYS && now() - keysDisabledAtMs >= NOTICE_DAYS * 86_400_000)
      await accounts.deleteAccount(id, undefined, true);
  }
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
