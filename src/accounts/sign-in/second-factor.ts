/** Turning the second factor of an account on and off, and its recovery codes. */
import { ApiError } from '#errors';
import {
  getEngine,
  getRefusalCode,
  keepCookie,
  recordAudit,
  rethrowApiError,
  toCookieHeader,
  toHeaders,
  type AccessContext,
  type Client,
  type Session,
} from './access-context.ts';
import { getCookieName } from './auth-engine.ts';
import { reauthenticate, wrongPassword, type Proof } from './reauthenticate.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import { getThrottleName, useAppCode, verifyCode, wrongFirstCode } from './second-factor-codes.ts';
import { formatSecondFactorDisabledMail, formatSecondFactorEnabledMail } from './second-factor-mails.ts';
import { findSession } from './sessions.ts';
import { verifyPassword } from './verify-password.ts';

/** A second factor that is not confirmed yet. Neither the secret nor the codes are shown again. */
export interface Enrollment {
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
