/** Turning the second factor of an account on and off, and its recovery codes. */
import { ApiError } from '#errors';
import {
  type AccessContext,
  type Client,
  type Session,
  type SignedIn,
  getEngine,
  getRefusalCode,
  keepCookie,
  recordAudit,
  rethrowApiError,
  toCookieHeader,
  toHeaders,
} from './access-context.ts';
import { getCookieName } from './auth-engine.ts';
import { type Proof, reauthenticate, wrongPassword } from './reauthenticate.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import {
  type AcceptedCode,
  expiredSignIn,
  getThrottleName,
  useAppCode,
  verifyCode,
  wrongCode,
  wrongFirstCode,
} from './second-factor-codes.ts';
import {
  formatRecoveryCodeUsedMail,
  formatSecondFactorDisabledMail,
  formatSecondFactorEnabledMail,
} from './account-mails.ts';
import { endSessionBefore, findSession } from './sessions.ts';
import { verifyPassword } from './sign-in.ts';
import type { Account } from '../account.ts';

/** A second factor that is not confirmed yet. Neither the secret nor the codes are shown again. */
interface Enrollment {
  /** The secret in base32, for people who type it. */
  secret: string;
  /** The `otpauth:` URI, which apps read as a QR code. */
  uri: string;
  recoveryCodes: string[];
}

/**
 * Creates the secret of a second factor, which has no effect until `confirmSecondFactor`; an earlier one that
 * was not confirmed is replaced. Throws `invalid_parameter` for a wrong password and if one is on already.
 */
export async function enrollSecondFactor(
  context: AccessContext,
  session: Session,
  { password }: Pick<Proof, 'password'>,
  client: Client,
): Promise<Enrollment> {
  if (session.hasSecondFactor) throw alreadyOn();
  const { email } = session.account;
  if (password === undefined) {
    await reauthenticate(context, session, {}, client);
    return requireEnrollment(await enroll(context, undefined, client));
  }
  return requireEnrollment(
    await verifyPassword(context, client, email, () => enroll(context, password, client)),
  );
}

/** Returns null for a wrong password. */
async function enroll(
  context: AccessContext,
  password: string | undefined,
  client: Client,
): Promise<Enrollment | null> {
  try {
    const result = await getEngine(context, client).api.enableTwoFactor({
      body: { method: 'totp', ...(password !== undefined && { password }) },
      headers: toHeaders(keepCookie(client, getCookieName('session', client.isSecure))),
    });
    if (result.method !== 'totp' || !('totpURI' in result)) throw new Error('better-auth enrolled no app.');
    const secret = new URL(result.totpURI).searchParams.get('secret') ?? '';
    return { secret, uri: result.totpURI, recoveryCodes: result.backupCodes };
  } catch (error) {
    rethrowApiError(error);
    const code = getRefusalCode(error);
    if (code === 'INVALID_PASSWORD' || code === 'PASSWORD_TOO_LONG') return null;
    if (code === 'TOTP_ALREADY_ENABLED') throw alreadyOn();
    throw error;
  }
}

function requireEnrollment(enrollment: Enrollment | null): Enrollment {
  if (!enrollment) throw wrongPassword('password');
  return enrollment;
}

/**
 * Turns the second factor on by a code of the app, and ends all other sessions: they were created without it.
 * Returns the Set-Cookie headers of this session. Throws `invalid_parameter` for a wrong code.
 */
export async function confirmSecondFactor(
  context: AccessContext,
  { account, hasSecondFactor }: Session,
  code: string,
  client: Client,
): Promise<string[]> {
  if (hasSecondFactor) throw alreadyOn();
  const sessionClient = keepCookie(client, getCookieName('session', client.isSecure));
  const attempt = await context.throttle.beginAttempt(client.address, getThrottleName(account.email));
  const accepted = await verifyCode(context, code, sessionClient, { onlyApp: true });
  if (!accepted) throw wrongFirstCode();
  const { setCookies } = accepted;
  await attempt.succeed();
  await useAppCode(context, account.id, code);
  const created = await findSession(context, { ...client, cookie: toCookieHeader(setCookies) });
  await context.store.deleteOtherSessions(account.id, created?.id ?? '');
  recordAudit(context, account.id, 'second_factor.enabled', '', client);
  context.sendMail(formatSecondFactorEnabledMail(account, context.getOrigin())).catch(context.onError);
  return setCookies;
}

/** Replaces the recovery codes. Returns the new ones; throws `invalid_parameter` for a wrong proof. */
export async function replaceRecoveryCodes(
  context: AccessContext,
  session: Session,
  proof: Proof,
  client: Client,
): Promise<string[]> {
  const { account } = session;
  await reauthenticate(context, session, proof, client);
  const codes = createRecoveryCodes();
  if (!(await context.store.replaceRecoveryCodes(account.id, codes.map(hashRecoveryCode)))) throw notOn();
  recordAudit(context, account.id, 'second_factor.recovery_codes_replaced', '', client);
  return codes;
}

/** Turns the second factor off. Throws `invalid_parameter` for a wrong proof. */
export async function disableSecondFactor(
  context: AccessContext,
  session: Session,
  proof: Proof,
  client: Client,
): Promise<void> {
  const { account } = session;
  if (!session.hasSecondFactor) throw notOn();
  await reauthenticate(context, session, proof, client);
  await context.store.deleteSecondFactor(account.id, { endsSessions: false });
  recordAudit(context, account.id, 'second_factor.disabled', '', client);
  context.sendMail(formatSecondFactorDisabledMail(account, context.getOrigin())).catch(context.onError);
}

function alreadyOn(): ApiError {
  return new ApiError('invalid_parameter', 'The second factor is on already: turn it off first.');
}

function notOn(): ApiError {
  return new ApiError('invalid_parameter', 'The second factor of this account is not on.');
}

/**
 * Finishes a sign-in by the second factor: a code of the app, or a recovery code. Throws `unauthorized` for
 * a wrong or used code and an expired sign-in, `rate_limit_exceeded` after too many wrong codes.
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
