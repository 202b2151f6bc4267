/** The plugins of better-auth: its second factor, and our own calls of its sessions. */
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { createRecoveryCodes, formatStoredCodes } from './recovery-codes.ts';

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
export function createSecondFactorPlugin() {
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
export function createSessionPlugin() {
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
