import { ApiError } from '#errors';
import {
  judgePassword,
  readRefusal,
  readSetCookies,
  recordAudit,
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
