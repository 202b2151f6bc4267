/**
 * better-auth core behind our own face: its API is called directly, its HTTP routes are not mounted, no plugin and no cookie cache is used.
 * Two instances differ in their cookie alone: `Secure` with the `__Host-` prefix where people come over TLS, plain where they do not.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth/minimal';
import { createAccountId } from '../create-account.ts';
import { getDefaultPlanName, type Plans } from '../plans.ts';
import { createRandomText } from '../random-text.ts';
import type { AccessStore } from '../access-store.ts';
import type { Addressee } from './account-mails.ts';
import { judgeHash, refuseReplacedPasswords } from './verified-password.ts';
import { hashPassword } from './password-hash.ts';

/** A session ends this long after it was last used… */
export const IDLE_MS = 24 * 3_600_000;
/** …and this long after it began, however much it is used. */
export const LIFETIME_MS = 7 * IDLE_MS;
/** How old `last seen` may be before it is written again. */
const TOUCH_SECONDS = 60;
const RESET_LINK_SECONDS = 3_600;
const VERIFY_LINK_SECONDS = 24 * 3_600;

export interface AuthEngineOptions {
  database: AccessStore['authDatabase'];
  secret: string;
  plans: Plans;
  /** Send a mail with the link; both must return at once and send later. */
  onResetLink: (account: Addressee, token: string) => void;
  onVerifyLink: (account: Addressee, token: string) => void;
  /** Throws if this account must not be verified by this request. */
  checkVerification: (accountId: string) => void;
  onVerified: (accountId: string) => void;
  onLog: (message: string, details: unknown[]) => void;
}

/** A hash computed before a transaction begins, so that no transaction lasts as long as a hash. */
const computedHash = new AsyncLocalStorage<string>();

export function withComputedHash<T>(hash: string, act: () => Promise<T>): Promise<T> {
  return computedHash.run(hash, act);
}

function createEngine(options: AuthEngineOptions, isSecure: boolean) {
  const { database, secret, plans, onResetLink, onVerifyLink, checkVerification, onVerified, onLog } =
    options;
  return betterAuth({
    baseURL: 'http://localhost',
    secret,
    database: refuseReplacedPasswords(database),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_level, message, ...details) => onLog(message, details) },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      minPasswordLength: 1,
      maxPasswordLength: 1_000,
      resetPasswordTokenExpiresIn: RESET_LINK_SECONDS,
      password: {
        hash: async (password) => computedHash.getStore() ?? hashPassword(password),
        verify: judgeHash,
      },
      sendResetPassword: async ({ user, token }) => onResetLink(user, token),
    },
    emailVerification: {
      expiresIn: VERIFY_LINK_SECONDS,
      sendVerificationEmail: async ({ user, token }) => onVerifyLink(user, token),
      beforeEmailVerification: async (user) => checkVerification(user.id),
      afterEmailVerification: async (user) => onVerified(user.id),
    },
    session: {
      expiresIn: IDLE_MS / 1000,
      updateAge: TOUCH_SECONDS,
      freshAge: 0,
      modelName: 'sessions',
      fields: {
        userId: 'account_id',
        token: 'token_hash',
        expiresAt: 'expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
    },
    user: {
      modelName: 'accounts',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        plan: { type: 'string', input: false, defaultValue: () => getDefaultPlanName(plans) },
        admin: { type: 'boolean', input: false, defaultValue: false },
        disabled: { type: 'boolean', input: false, defaultValue: false },
      },
    },
    account: {
      modelName: 'credentials',
      fields: {
        userId: 'account_id',
        providerId: 'provider_id',
        accountId: 'provider_account_id',
        password: 'password_hash',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      storeIdentifier: 'hashed',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      cookiePrefix: 'utility-api',
      // Not useSecureCookies: its prefix __Secure- lets another host of the same domain plant a session of its own here.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure },
      cookies: { session_token: { name: `${isSecure ? '__Host-' : ''}utility-api-session` } },
      disableCSRFCheck: true,
      disableOriginCheck: true,
      database: {
        generateId: ({ model }) => (model === 'user' ? createAccountId() : createRandomText(24)),
      },
      ipAddress: { disableIpTracking: true },
    },
  });
}

export type AuthEngine = ReturnType<typeof createEngine>;

/** The engine for people who come over TLS, and the one for those who do not. */
export function createAuthEngines(options: AuthEngineOptions): { secure: AuthEngine; plain: AuthEngine } {
  return { secure: createEngine(options, true), plain: createEngine(options, false) };
}
