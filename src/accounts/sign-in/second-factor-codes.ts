import { hash } from 'node:crypto';
import { ApiError } from '#errors';
import {
  getEngine,
  getRefusalCode,
  getSetCookies,
  rethrowApiError,
  toHeaders,
  type AccessContext,
  type Client,
} from './access-context.ts';
import { hashRecoveryCode } from './recovery-codes.ts';

/** A code of the authenticator app; blanks between the digits are common. */
const APP_CODE = /^\d{6}$/;
/** better-auth accepts the codes of the step before and after the current one: each for 90 s. */
const APP_CODE_LIFETIME_MS = 90_000;
/** The time for which better-auth locks the second factor after 10 wrong codes in a row. */
const LOCK_SECONDS = 900;

/** A right code, and the Set-Cookie headers of the session that it created, if it did. */
export interface AcceptedCode {
  kind: 'app' | 'recovery';
  setCookies: string[];
}

/**
 * Verifies a code by the cookie of `client`: a session, or a sign-in that waits for its second factor. A
 * recovery code is used up. Returns null for a wrong code. Throws `rate_limit_exceeded` if the second factor
 * is locked, `unauthorized` if the sign-in has expired.
 */
export async function verifyCode(
  context: AccessContext,
  text: string,
  client: Client,
  options: { onlyApp?: boolean } = {},
): Promise<AcceptedCode | null> {
  const code = text.replaceAll(/\s/g, '');
  const kind = options.onlyApp === true || APP_CODE.test(code) ? 'app' : 'recovery';
  const { api } = getEngine(context, client);
  const headers = toHeaders(client);
  try {
    const result =
      kind === 'app'
        ? await api.verifyTOTP({ body: { code }, headers, returnHeaders: true })
        : await api.verifyBackupCode({
            body: { code: hashRecoveryCode(code) },
            headers,
            returnHeaders: true,
          });
    return { kind, setCookies: getSetCookies(result.headers) };
  } catch (error) {
    rethrowApiError(error);
    return assertWrongCode(error);
  }
}

/** Returns null if better-auth found the code wrong; throws otherwise. */
function assertWrongCode(error: unknown): null {
  const code = getRefusalCode(error);
  if (code === 'INVALID_CODE' || code === 'INVALID_BACKUP_CODE') return null;
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED')
    throw new ApiError(
      'rate_limit_exceeded',
      'Too many wrong codes: the second factor is locked for 15 minutes.',
      { retryAfterSeconds: LOCK_SECONDS },
    );
  if (code === 'TOTP_NOT_ENABLED')
    throw new ApiError(
      'invalid_parameter',
      'There is no second factor to confirm: start its set-up again, or sign in again.',
      { param: 'code' },
    );
  if (code === null && (error as { status?: unknown }).status !== 'CONFLICT') throw error;
  throw expiredSignIn();
}

/**
 * Records that the code of an app was used. Returns false if it was before: others may have seen it.
 */
export function useAppCode(context: AccessContext, accountId: string, text: string): Promise<boolean> {
  const codeHash = hash('sha256', `${accountId} ${text.replaceAll(/\s/g, '')}`, 'base64url');
  const expiresAtMs = context.now() + APP_CODE_LIFETIME_MS;
  return context.store.useCode({ accountId, codeHash, expiresAtMs });
}

/** Returns the name by which wrong codes of an account are counted, apart from its wrong passwords. */
export function getThrottleName(email: string): string {
  return `second factor of ${email}`;
}

/** Returns the error of a sign-in whose second step came too late or after too many wrong codes. */
export function expiredSignIn(): ApiError {
  return new ApiError('unauthorized', 'This sign-in has expired or had too many wrong codes: sign in again.');
}

/** Returns the error of a wrong code of an app that is being set up: there are no recovery codes yet. */
export function wrongFirstCode(): ApiError {
  return new ApiError(
    'invalid_parameter',
    'The code is not right: enter the newest one of your app, and check the clock of its device.',
    { param: 'code' },
  );
}

/** Returns the error of a wrong code. */
export function wrongCode(param?: string): ApiError {
  const message =
    'The code is not right, or was used already: wait for the next one of your app, or take a recovery code.';
  return param === undefined
    ? new ApiError('unauthorized', message)
    : new ApiError('invalid_parameter', message, { param });
}
