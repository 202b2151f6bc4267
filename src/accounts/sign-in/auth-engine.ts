/**
 * better-auth behind our own interface: its API is called directly; its HTTP routes and its cookie cache are
 * not used. Two instances differ in their cookie: `Secure` with the prefix `__Host-` for
 * clients on TLS, plain for others.
 */
import { betterAuth } from 'better-auth/minimal';
import type { BetterAuthOptions } from 'better-auth/types';
import type { AccessStore } from '../access-store.ts';
import { createSecondFactorPlugin, createSessionPlugin } from './auth-plugins.ts';
import { hashPassword, isPassword } from './password-hash.ts';

/** The header in which better-auth receives the address of a client. No header of the request is used. */
export const IP_HEADER = 'x-client-ip';
/** A session expires this long after it was last used. */
export const IDLE_MS = 24 * 3_600_000;
/** A session expires this long after it was created, even if it is in use. */
export const LIFETIME_MS = 7 * IDLE_MS;
/** The time of last use is stored again when it is older than this. */
const TOUCH_SECONDS = 60;

export interface AuthEngineOptions {
  database: AccessStore['authDatabase'];
  secret: string;
  onLog: (message: string, details: unknown[]) => void;
}

/** Returns the options that all instances share. */
export function createEngineOptions({ database, secret, onLog }: AuthEngineOptions, isSecure: boolean) {
  return {
    baseURL: 'http://localhost',
    secret,
    database,
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level: string, message: string, ...details: unknown[]) => onLog(message, details),
    },
    emailAndPassword: {
      enabled: true,
      password: {
        // Also computed for an unknown address, so that sign-in does the same work.
        hash: hashPassword,
        verify: ({ password, hash }: { password: string; hash: string }) => isPassword(password, hash),
      },
    },
    ...TABLES,
    advanced: createAdvanced(isSecure),
    plugins: [createSecondFactorPlugin(), createSessionPlugin()],
  } satisfies BetterAuthOptions;
}

function createEngine(options: AuthEngineOptions, isSecure: boolean) {
  return betterAuth(createEngineOptions(options, isSecure));
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** The names of better-auth's tables and columns in our schema. */
const TABLES = {
  session: {
    expiresIn: IDLE_MS / 1000,
    updateAge: TOUCH_SECONDS,
    modelName: 'sessions',
    fields: {
      userId: 'account_id',
      token: 'token_hash',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...times,
    },
  },
  user: {
    modelName: 'accounts',
    fields: { emailVerified: 'email_verified', ...times },
    additionalFields: {
      plan: { type: 'string', input: false },
      admin: { type: 'boolean', input: false },
      disabled: { type: 'boolean', input: false },
    },
  },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'account_id',
      providerId: 'provider_id',
      accountId: 'provider_account_id',
      password: 'password_hash',
      ...times,
    },
  },
  verification: {
    modelName: 'verifications',
    storeIdentifier: 'hashed',
    fields: { expiresAt: 'expires_at', ...times },
  },
} as const satisfies BetterAuthOptions;

/** Returns better-auth's `advanced` options. The cookie of clients on TLS has the prefix `__Host-`. */
function createAdvanced(isSecure: boolean) {
  return {
    cookiePrefix: 'utility-api',
    ipAddress: { ipAddressHeaders: [IP_HEADER], ipv6Subnet: 128 as const },
    defaultCookieAttributes: { secure: isSecure },
    cookies: {
      session_token: { name: getCookieName('session', isSecure) },
      two_factor: { name: getCookieName('second-factor', isSecure) },
      state: { name: getCookieName('oidc', isSecure) },
    },
  };
}

/** Returns the name of a cookie: of a session, of a sign-in before its second factor, or at a provider. */
export function getCookieName(purpose: 'session' | 'second-factor' | 'oidc', isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}utility-api-${purpose}`;
}

export type AuthEngine = ReturnType<typeof createEngine>;

/** Creates the instance for clients on TLS and the one for other clients. */
export function createAuthEngines(options: AuthEngineOptions): { secure: AuthEngine; plain: AuthEngine } {
  return { secure: createEngine(options, true), plain: createEngine(options, false) };
}
