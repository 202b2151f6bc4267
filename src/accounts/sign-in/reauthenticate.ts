import { ApiError } from '#errors';
import { keepCookie, recordAudit, type AccessContext, type Client, type Session } from './access-context.ts';
import { getCookieName } from './auth-engine.ts';
import { getThrottleName, useAppCode, verifyCode, wrongCode } from './second-factor-codes.ts';
import { findMatchingHash, verifyPassword } from './sign-in.ts';

/** The proof of a signed-in person: the password, or a code of the second factor. */
export interface Proof {
  password?: string | undefined;
  code?: string | undefined;
}

/** An account without a password and a second factor proves itself by a session younger than this. */
const FRESH_SESSION_MS = 10 * 60_000;

/**
 * Checks again who uses the session, before a change of how the account is signed in to. Takes the password
 * or a code of the second factor; for an account with neither, a sign-in within the last 10 minutes. Throws
 * `invalid_parameter` if the proof is wrong or missing.
 */
export async function reauthenticate(
  context: AccessContext,
  session: Session,
  { password, code }: Proof,
  client: Client,
): Promise<void> {
  const { email } = session.account;
  if (password !== undefined) {
    const hash = await verifyPassword(context, client, email, () =>
      findMatchingHash(context.store, email, password),
    );
    if (hash === null) throw wrongPassword('password');
    return;
  }
  if (code !== undefined && session.hasSecondFactor) return verifySessionCode(context, session, code, client);
  const hasPassword = (await context.store.findPasswordHash(email)) !== null;
  if (hasPassword || session.hasSecondFactor) throw missingProof(hasPassword, session.hasSecondFactor);
  assertFreshSession(context, session);
}

/** Verifies a code of the account's second factor within its session. Throws `invalid_parameter`. */
export async function verifySessionCode(
  context: AccessContext,
  { account }: Session,
  code: string,
  client: Client,
): Promise<void> {
  const sessionClient = keepCookie(client, getCookieName('session', client.isSecure));
  const attempt = await context.throttle.beginAttempt(client.address, getThrottleName(account.email));
  const accepted = await verifyCode(context, code, sessionClient);
  if (!accepted || (accepted.kind === 'app' && !(await useAppCode(context, account.id, code)))) {
    recordAudit(context, account.id, 'second_factor.failed', '', client);
    throw wrongCode('code');
  }
  await attempt.succeed();
}

/** Throws `invalid_parameter` unless the session is fresh. */
function assertFreshSession({ now }: AccessContext, { createdAtMs }: Session): void {
  if (now() - createdAtMs < FRESH_SESSION_MS) return;
  throw new ApiError(
    'invalid_parameter',
    'Your account has no password, and you signed in more than 10 minutes ago: sign out, sign in again and repeat this.',
    { param: 'password' },
  );
}

function missingProof(hasPassword: boolean, hasSecondFactor: boolean): ApiError {
  const proofs = [hasPassword && 'your password', hasSecondFactor && 'a code of your second factor'];
  const message = `Confirm that it is you: send ${proofs.filter(Boolean).join(' or ')}.`;
  return new ApiError('invalid_parameter', message, { param: hasPassword ? 'password' : 'code' });
}

/** Returns the error of a wrong password in a member of a body. */
export function wrongPassword(param: string): ApiError {
  return new ApiError('invalid_parameter', 'The password is not right.', { param });
}
