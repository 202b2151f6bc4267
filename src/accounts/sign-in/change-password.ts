import {
  recordAudit,
  toWorkCaller,
  type AccessContext,
  type Client,
  type Session,
} from './access-context.ts';
import { createAccountSession } from './create-session.ts';
import { assertStrongPassword } from './credential-rules.ts';
import { hashPassword } from './password-hash.ts';
import { reauthenticate, wrongPassword, type Proof } from './reauthenticate.ts';
import { findMatchingHash, replacedPassword, verifyPassword } from './verify-password.ts';

export interface PasswordRequest {
  /** Undefined for the first password of an account that signs in otherwise. */
  currentPassword?: string | undefined;
  /** A code of the second factor, for a first password. */
  code?: string | undefined;
  newPassword: string;
}

/**
 * Changes the password, or sets the first one, and ends all other sessions. Returns the Set-Cookie headers of
 * this session. Throws `invalid_parameter` for a wrong or a weak password.
 */
export async function changePassword(
  context: AccessContext,
  session: Session,
  { currentPassword, code, newPassword }: PasswordRequest,
  client: Client,
): Promise<string[]> {
  const { account } = session;
  assertStrongPassword(newPassword, account.email, 'new_password');
  if (currentPassword === undefined) await setFirstPassword(context, session, { code, newPassword }, client);
  else await replacePassword(context, session, { currentPassword, newPassword }, client);
  recordAudit(context, account.id, 'password.changed', '', client);
  return createAccountSession(context, account.id, client);
}

async function replacePassword(
  context: AccessContext,
  { account }: Session,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  client: Client,
): Promise<void> {
  const { id, email } = account;
  const isChanged = await verifyPassword(context, client, email, async () => {
    const oldHash = await findMatchingHash(context.store, email, currentPassword);
    if (oldHash === null) return null;
    const change = { email, oldHash, newHash: await hashPassword(newPassword), nowMs: context.now() };
    if (!(await context.store.changePassword(change))) throw replacedPassword();
    return true;
  });
  if (isChanged) return;
  recordAudit(context, id, 'password.change_failed', '', client);
  throw wrongPassword('current_password');
}

async function setFirstPassword(
  context: AccessContext,
  session: Session,
  { code, newPassword }: { code: string | undefined; newPassword: string },
  client: Client,
): Promise<void> {
  const { id: accountId, email } = session.account;
  if ((await context.store.findPasswordHash(email)) !== null) throw wrongPassword('current_password');
  await reauthenticate(context, session, { code }, client);
  const passwordHash = await context.gate(await toWorkCaller(context, client, email), () =>
    hashPassword(newPassword),
  );
  const password = { accountId, passwordHash, nowMs: context.now() };
  if (!(await context.store.insertFirstPassword(password))) throw replacedPassword();
}

/**
 * Deletes the account: its keys stop working immediately, and its personal data is deleted. Throws
 * `invalid_parameter` for a wrong password. An account without a password proves itself as `reauthenticate`
 * describes.
 */
export async function deleteAccount(
  context: AccessContext,
  session: Session,
  { password, code }: Proof,
  client: Client,
): Promise<void> {
  const { account } = session;
  const hash = await proveDeletion(context, session, { password, code }, client);
  if (!(await context.accounts.deleteAccount(account.id, hash))) throw replacedPassword();
  recordAudit(context, account.id, 'account.deleted', '', client);
}

/** Returns the hash of the password that was verified; undefined if the account has none. */
async function proveDeletion(
  context: AccessContext,
  session: Session,
  { password, code }: Proof,
  client: Client,
): Promise<string | undefined> {
  const { id, email } = session.account;
  if (password === undefined) {
    const hasPassword = (await context.store.findPasswordHash(email)) !== null;
    await reauthenticate(context, session, hasPassword ? {} : { code }, client);
    return undefined;
  }
  const hash = await verifyPassword(context, client, email, () =>
    findMatchingHash(context.store, email, password),
  );
  if (hash !== null) return hash;
  recordAudit(context, id, 'account.deletion_failed', '', client);
  throw wrongPassword('password');
}
