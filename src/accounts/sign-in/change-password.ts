import { ApiError } from '#errors';
import { recordAudit, type AccessContext, type Client, type Session } from './access-context.ts';
import { createSession } from './create-session.ts';
import { assertStrongPassword } from './credential-rules.ts';
import { hashPassword } from './password-hash.ts';
import { findMatchingHash, replacedPassword, verifyPassword } from './verify-password.ts';

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
  const { email } = account;
  const setCookies = await verifyPassword(context, client, email, async () => {
    const oldHash = await findMatchingHash(context.store, email, currentPassword);
    if (oldHash === null) return null;
    const change = { email, oldHash, newHash: await hashPassword(newPassword), nowMs: context.now() };
    if (!(await context.store.changePassword(change))) throw replacedPassword();
    return createSession(context, email, newPassword, client);
  });
  if (!setCookies) {
    recordAudit(context, account.id, 'password.change_failed', '', client);
    throw wrongPassword('current_password');
  }
  recordAudit(context, account.id, 'password.changed', '', client);
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
  const hash = await verifyPassword(context, client, account.email, () =>
    findMatchingHash(context.store, account.email, password),
  );
  if (hash === null) {
    recordAudit(context, account.id, 'account.deletion_failed', '', client);
    throw wrongPassword('password');
  }
  if (!(await context.accounts.deleteAccount(account.id, hash))) throw replacedPassword();
  recordAudit(context, account.id, 'account.deleted', '', client);
}

function wrongPassword(param: string): ApiError {
  return new ApiError('invalid_parameter', 'The password is not right.', { param });
}
