import { ApiError } from '#errors';
import type { Account } from '../account.ts';
import {
  getEngine,
  keepCookie,
  recordAudit,
  toCookieHeader,
  toHeaders,
  type AccessContext,
  type Client,
  type SignedIn,
} from './access-context.ts';
import { getCookieName } from './auth-engine.ts';
import { formatRecoveryCodeUsedMail } from './second-factor-mails.ts';
import { expiredSignIn, getThrottleName, useAppCode, verifyCode, wrongCode } from './second-factor-codes.ts';
import type { AcceptedCode } from './second-factor-codes.ts';
import { endSessionBefore, findSession } from './sessions.ts';

/**
 * Finishes a sign-in by the second factor: a code of the app, or a recovery code. Throws `unauthorized` for a
 * wrong or used code and an expired sign-in, `rate_limit_exceeded` after too many wrong codes.
 */
export async function finishSignIn(context: AccessContext, code: string, client: Client): Promise<SignedIn> {
  // Without the cookie of a session, which may be another account's: better-auth would prefer it.
  const pendingClient = keepCookie(client, getCookieName('second-factor', client.isSecure));
  const account = await findPendingAccount(context, pendingClient);
  const attempt = await context.throttle.beginAttempt(client.address, getThrottleName(account.email));
  const accepted = await verifyCode(context, code, pendingClient);
  if (!accepted || !(await isFirstUse(context, account, code, accepted, client))) {
    recordAudit(context, account.id, 'second_factor.failed', client.userAgent.slice(0, 120), client);
    throw wrongCode();
  }
  await attempt.succeed();
  await endSessionBefore(context, client);
  if (accepted.kind === 'recovery') await reportRecoveryCode(context, account, client);
  recordAudit(context, account.id, 'sign_in', client.userAgent.slice(0, 120), client);
  return { account, isPending: false, setCookies: accepted.setCookies };
}

/** Returns the account whose sign-in waits for its second factor. Throws `unauthorized` if there is none. */
async function findPendingAccount(context: AccessContext, client: Client): Promise<Account> {
  if (client.cookie === '') throw expiredSignIn();
  const pending = await getEngine(context, client).api.findPendingAccount({ headers: toHeaders(client) });
  if (!pending || pending.expiresAtMs <= context.now()) throw expiredSignIn();
  const account = await context.accounts.findAccount(pending.accountId);
  if (!account) throw expiredSignIn();
  if (account.disabled) {
    await context.store.deletePendingSignIns(account.id);
    throw new ApiError('unauthorized', 'This account is disabled: ask the operator of this service.');
  }
  return account;
}

/** Returns false, and deletes the session that the code created, if the app's code was used before. */
async function isFirstUse(
  context: AccessContext,
  account: Account,
  code: string,
  { kind, setCookies }: AcceptedCode,
  client: Client,
): Promise<boolean> {
  if (kind === 'recovery' || (await useAppCode(context, account.id, code))) return true;
  const session = await findSession(context, { ...client, cookie: toCookieHeader(setCookies) });
  if (session) await context.store.deleteSession(account.id, session.id);
  return false;
}

async function reportRecoveryCode(context: AccessContext, account: Account, client: Client): Promise<void> {
  const factor = await context.store.findSecondFactor(account.id);
  const left = factor?.recoveryCodesLeft ?? 0;
  recordAudit(context, account.id, 'second_factor.recovery_code_used', `${left} left`, client);
  context.sendMail(formatRecoveryCodeUsedMail(account, context.getOrigin(), left)).catch(context.onError);
}
