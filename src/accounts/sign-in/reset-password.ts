import { randomInt } from 'node:crypto';
import type { Account } from '../account.ts';
import { recordAudit, toWorkCaller, type AccessContext, type Client } from './access-context.ts';
import { formatResetMail } from './account-mails.ts';
import { assertStrongPassword, parseEmail } from './credential-rules.ts';
import { createLink, findLink, hashLinkToken, invalidLink } from './links.ts';
import { hashPassword } from './password-hash.ts';

/** The longest delay of a mail. It spreads the mail's work over other requests than the client's next one. */
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
