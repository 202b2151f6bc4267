/** The plugins of better-auth: its second factor, and our own calls of its sessions. */
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { betterAuth } from 'better-auth/minimal';
import type { BetterAuthOptions } from 'better-auth/types';
import { createRecoveryCodes, formatStoredCodes } from './recovery-codes.ts';
import type { AccessStore } from '../access-store.ts';
import { hashPassword, isPassword } from './password.ts';

/** The name that authenticator apps show. */
const ISSUER = 'Utility API';
/** A sign-in that waits for the second factor expires after this time. */
const PENDING_SECONDS = 600;

/** The cookie of a sign-in that waits for the second factor, as better-auth names it. */
const PENDING_COOKIE = 'two_factor';
/** The path under which better-auth runs the hooks of a provider's response. */
const CALLBACK_PATH = '/callback/:id';

/**
 * Creates better-auth's plugin for the second factor. It asks for the factor after a password; here also
 * after a response of a provider, by the same hook.
 */
function createSecondFactorPlugin() {
  const plugin = twoFactor({
    issuer: ISSUER,
    twoFactorCookieMaxAge: PENDING_SECONDS,
    allowPasswordless: true,
    backupCodeOptions: {
      customBackupCodesGenerate: createRecoveryCodes,
      storeBackupCodes: { encrypt: async (json) => formatStoredCodes(json), decrypt: async (json) => json },
    },
    schema: {
      user: { fields: { twoFactorEnabled: 'second_factor' } },
      twoFactor: {
        modelName: 'second_factors',
        fields: {
          userId: 'account_id',
          backupCodes: 'recovery_codes',
          verified: 'confirmed',
          failedVerificationCount: 'failures',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
  const after = plugin.hooks.after.map(({ matcher, handler }) => ({
    matcher: (context: Parameters<typeof matcher>[0]) =>
      matcher(context) || (context as { path?: string }).path === CALLBACK_PATH,
    handler,
  }));
  return { ...plugin, hooks: { ...plugin.hooks, after } };
}

/** Creates calls that better-auth has only as routes for a password: they exist on the server alone. */
function createSessionPlugin() {
  return {
    id: 'utility-api-sessions',
    endpoints: {
      /** Creates a session of the account whose id is in the query. */
      createAccountSession: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
        const { internalAdapter } = ctx.context;
        const user = await internalAdapter.findUserById(String(ctx.query?.['accountId']));
        if (!user) throw new Error('The account does not exist.');
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ sessionId: session.id });
      }),
      /** Returns the account whose sign-in waits for the second factor, and when the sign-in expires. */
      findPendingAccount: createAuthEndpoint.serverOnly({ method: 'GET' }, async (ctx) => {
        const { name } = ctx.context.createAuthCookie(PENDING_COOKIE);
        const identifier = await ctx.getSignedCookie(name, ctx.context.secret);
        const pending = identifier
          ? await ctx.context.internalAdapter.findVerificationValue(identifier)
          : null;
        return ctx.json(pending && { accountId: pending.value, expiresAtMs: pending.expiresAt.getTime() });
      }),
    },
  };
}

// better-auth behind our own interface: its API is called directly; its HTTP routes and its cookie cache
// are not used. Two instances differ in their cookie: `Secure` with the prefix `__Host-` for clients on
// TLS, plain for others.

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
