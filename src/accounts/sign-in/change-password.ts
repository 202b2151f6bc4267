import { ApiError } from '#errors';
import {
  assertRefusal,
  getEngine,
  getSetCookies,
  recordAudit,
  toHeaders,
  verifyPassword,
  type AccessContext,
  type Client,
  type Session,
} from './access-context.ts';
import { assertStrongPassword } from './credential-rules.ts';

/**
 * Changes the password and ends all other sessions. Returns the Set-Cookie headers of this session. Throws
 * `invalid_parameter` for a wrong or a weak password.
 */
export async function changePassword(
  context: AccessContext,
  session: Session,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  client: Client,
): Promise<string[]> {
  const { account } = session;
  assertStrongPassword(newPassword, account.email, 'new_password');
  const setCookies = await verifyPassword(context, client, account.email, async () => {
    try {
      const response = await getEngine(context, client).api.changePassword({
        body: { currentPassword, newPassword, revokeOtherSessions: true },
        headers: toHeaders(client),
        returnHeaders: true,
      });
      return getSetCookies(response.headers);
    } catch (error) {
      assertRefusal(error);
      return null;
    }
  });
  if (!setCookies) {
    recordAudit(context, account.id, 'password.change_failed', '', client.requestId);
    throw wrongPassword('current_password');
  }
  await context.store.deleteResetLinks(account.id);
  recordAudit(context, account.id, 'password.changed', '', client.requestId);
  return setCookies;
}

/**
 * Deletes the account: its keys stop working immediately, and its personal data is deleted. Throws
 * `invalid_parameter` for a wrong password.
 */
export async function deleteAccount(
  context: AccessContext,
  session: Session,
  password: string,
  client: Client,
): Promise<void> {
  const { account } = session;
  const isRight = await verifyPassword(context, client, account.email, async () => {
    try {
      await getEngine(context, client).api.verifyPassword({
        body: { password },
        headers: toHeaders(client),
      });
      return true;
    } catch (error) {
      assertRefusal(error);
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
