import { randomInt } from 'node:crypto';
import { ApiError } from '#errors';
import { parseAccountEmail } from '../account.ts';
import {
  judgePassword,
  readRefusal,
  readSetCookies,
  recordAudit,
  toWorkCaller,
  toHeaders,
  type AccessContext,
  type Client,
  type Session,
} from './access-context.ts';
import { checkPassword } from './password-rules.ts';

/** Changes the password; all other sessions end. Gives the headers of the session that goes on. */
export async function changePassword(
  context: AccessContext,
  session: Session,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  client: Client,
): Promise<string[]> {
  const { account } = session;
  checkPassword(newPassword, account.email, 'new_password');
  const engine = client.isSecure ? context.engines.secure : context.engines.plain;
  const cookies = await judgePassword(context, client, account.email, async () => {
    try {
      const answer = await engine.api.changePassword({
        body: { currentPassword, newPassword, revokeOtherSessions: true },
        headers: toHeaders(client),
        returnHeaders: true,
      });
      return readSetCookies(answer.headers);
    } catch (error) {
      if (readRefusal(error) === null) throw error;
      return null;
    }
  });
  if (!cookies) {
    recordAudit(context, account.id, 'password.change_failed', '', client.requestId);
    throw wrongPassword('current_password');
  }
  await context.store.deleteResetLinks(account.id);
  recordAudit(context, account.id, 'password.changed', '', client.requestId);
  return cookies;
}

/** Deletes the account: its keys are dead at once, and all that names a person is gone. Throws `invalid_parameter` for a wrong password. */
export async function deleteAccount(
  context: AccessContext,
  session: Session,
  password: string,
  client: Client,
): Promise<void> {
  const { account } = session;
  const engine = client.isSecure ? context.engines.secure : context.engines.plain;
  const isRight = await judgePassword(context, client, account.email, async () => {
    try {
      await engine.api.verifyPassword({ body: { password }, headers: toHeaders(client) });
      return true;
    } catch (error) {
      if (readRefusal(error) === null) throw error;
      return null;
    }
  });
  if (!isRight) {
    recordAudit(context, account.id, 'account.deletion_failed', '', client.requestId);
    throw wrongPassword('password');
  }
  await context.accounts.deleteAccount(account.id);
  recordAudit(context, account.id, 'account.deleted', '', client.requestId);
}

function wrongPassword(param: string): ApiError {
  return new ApiError('invalid_parameter', 'The password is not right.', { param });
}

/** The longest that a mail is held back, so that its work falls on some later request, not on the asker's next. */
const MAX_MAIL_DELAY_MS = 500;

/** Sends a link to set a new password, if there is such an account. Answers before any of it is done, so that its time tells nothing. */
export function requestPasswordReset(context: AccessContext, text: string, client: Client): void {
  context.throttle.takeRequest(client.address);
  const email = parseAccountEmail(text);
  if (email === null)
    throw new ApiError('invalid_parameter', 'This is not an e-mail address: write it as ann@example.com.', {
      param: 'email',
    });
  if (!context.throttle.takeMail(email, 'reset')) return;
  setTimeout(
    () => {
      sendResetLink(context, email, client).catch(context.onError);
    },
    randomInt(1, MAX_MAIL_DELAY_MS),
  ).unref();
}

async function sendResetLink(context: AccessContext, email: string, client: Client): Promise<void> {
  await context.engines.plain.api.requestPasswordReset({ body: { email } });
  const account = await context.accounts.findAccountByEmail(email);
  if (account) recordAudit(context, account.id, 'password.reset_requested', '', client.requestId);
}

/** Sets a new password by a link of a mail; every session ends. Throws `invalid_parameter` where the link was used or has expired. */
export async function resetPassword(
  context: AccessContext,
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<void> {
  context.throttle.takeRequest(client.address);
  const accountId = await context.store.findResetAccount(token, context.now());
  const account = accountId === null ? null : await context.accounts.findAccount(accountId);
  if (!account) throw invalidLink();
  checkPassword(password, account.email, 'password');
  try {
    await context.gate(toWorkCaller(context, client, account.email), () =>
      context.engines.plain.api.resetPassword({ body: { token, newPassword: password } }),
    );
  } catch (error) {
    if (readRefusal(error) === null) throw error;
    throw invalidLink();
  }
  // A link that was asked for earlier, by whomever, must not undo this.
  await context.store.deleteResetLinks(account.id);
  // Who reads the account's mail has shown that the address is theirs.
  await context.accounts.updateAccount(account.id, { emailVerified: true }, context.now());
  context.throttle.recordOwner(client.address, account.email);
  recordAudit(context, account.id, 'password.reset', '', client.requestId);
}

/** Notes that the address of an account is its owner's. The link names the account and its address, and holds for 24 h. */
export async function verifyEmail(context: AccessContext, token: string, client: Client): Promise<void> {
  context.throttle.takeRequest(client.address);
  try {
    await context.engines.plain.api.verifyEmail({ query: { token } });
  } catch (error) {
    if (readRefusal(error) === null) throw error;
    throw invalidLink();
  }
}

/** Sends the link that confirms an address once more, unless it is confirmed. */
export function resendVerification(context: AccessContext, { account }: Session, client: Client): void {
  context.throttle.takeRequest(client.address);
  if (account.emailVerified || !context.throttle.takeMail(account.email, 'verification')) return;
  setImmediate(() => {
    context.engines.plain.api
      .sendVerificationEmail({ body: { email: account.email } })
      .catch(context.onError);
  });
}

function invalidLink(): ApiError {
  return new ApiError('invalid_parameter', 'This link has been used or has expired: ask for a new one.', {
    param: 'token',
  });
}
