import { randomInt } from 'node:crypto';
import {
  type AccessContext,
  type Client,
  type Session,
  recordAudit,
  toWorkCaller,
} from './access-context.ts';
import { createAccountSession, findMatchingHash, replacedPassword, verifyPassword } from './sign-in.ts';
import { assertStrongPassword, hashPassword, parseEmail } from './password.ts';
import { type Proof, reauthenticate, wrongPassword } from './reauthenticate.ts';
import type { Account } from '../account.ts';
import { formatResetMail } from './account-mails.ts';
import { createLink, findLink, hashLinkToken, invalidLink } from './links.ts';

interface PasswordRequest {
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

/**
 * The longest delay of a mail. It spreads the mail's work over other requests than the client's next one.
 */
const MAX_MAIL_DELAY_MS = 500;

/**
 * Mails a link that sets a new password, if the address belongs to an account. Returns before the work
 * starts, so that its time does not reveal accounts.
 */
export async function requestPasswordReset(
  context: AccessContext,
  text: string,
  client: Client,
): Promise<void> {
  await context.throttle.consumeRequest(client.address);
  const email = parseEmail(text);
  if (!(await context.throttle.consumeMail(email, 'reset'))) return;
  setTimeout(
    () => {
      sendResetLink(context, email, client).catch(context.onError);
    },
    randomInt(1, MAX_MAIL_DELAY_MS),
  ).unref();
}

async function sendResetLink(context: AccessContext, email: string, client: Client): Promise<void> {
  const account = await context.accounts.findAccountByEmail(email);
  if (!account) return;
  const { token } = await createLink(context, 'reset', email);
  recordAudit(context, account.id, 'password.reset_requested', '', client);
  await context.sendMail(formatResetMail(account, context.getOrigin(), token));
}

/**
 * Creates a link that sets a new password, for a person who hands it over: `createdBy` is the administrator
 * or OPERATOR. Unlike a mailed link, it does not verify the email address.
 */
export function createResetLink(
  context: Pick<AccessContext, 'store' | 'now'>,
  email: string,
  createdBy: string,
): Promise<{ token: string; expiresAtMs: number }> {
  return createLink(context, 'reset', email, createdBy);
}

/** Returns the account of a reset link, null if the link was used or has expired. The link stays usable. */
export async function findResetAccount(
  context: AccessContext,
  token: string,
  client: Client,
): Promise<Account | null> {
  await context.throttle.consumeRequest(client.address);
  const link = await findLink(context, 'reset', token);
  return link && context.accounts.findAccountByEmail(link.email ?? '');
}

/**
 * Sets a new password by a link and ends all sessions. If the email address was not verified before,
 * all live keys are revoked: a stranger may have created them. Throws `invalid_parameter` for a weak password
 * or if the link was used or has expired.
 */
export async function resetPassword(
  context: AccessContext,
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<{ keysRevoked: number }> {
  const account = await findResetAccount(context, token, client);
  if (!account) throw invalidLink();
  assertStrongPassword(password, account.email, 'password');
  // Hashed before the transaction, which would hold the write lock for as long.
  const passwordHash = await context.gate(await toWorkCaller(context, client, account.email), () =>
    hashPassword(password),
  );
  const tokenHash = hashLinkToken(token);
  const reset = { tokenHash, passwordHash, requestId: client.requestId, ip: client.ip, nowMs: context.now() };
  const result = await context.store.resetPassword(reset);
  if (!result) throw invalidLink();
  await context.throttle.recordOwner(client.address, account.email);
  return { keysRevoked: result.keysRevoked };
}
