import { randomInt } from 'node:crypto';
import { ApiError } from '#errors';
import { parseAccountEmail, type Account } from '../account.ts';
import { recordAudit, toWorkCaller, type AccessContext, type Client } from './access-context.ts';
import { hashPassword } from './password-hash.ts';
import { checkPassword } from './password-rules.ts';

/**
 * The longest delay before a mail is sent, so that its work falls on a later request, not on the next one of
 * the same client.
 */
const MAX_MAIL_DELAY_MS = 500;

/**
 * Sends a link to set a new password, if there is such an account. Returns before any of it is done, so that
 * its time reveals nothing.
 */
export function requestPasswordReset(context: AccessContext, text: string, client: Client): void {
  context.throttle.takeRequest(client.address);
  const email = parseAccountEmail(text);
  if (email === null)
    throw new ApiError('invalid_parameter', 'This is not an email address: write it as ann@example.com.', {
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

/**
 * The account that a reset link belongs to; null if the link was used or has expired. The link stays usable.
 */
export async function findResetAccount(
  context: AccessContext,
  token: string,
  client: Client,
): Promise<Account | null> {
  context.throttle.takeRequest(client.address);
  const accountId = await context.store.findResetAccount(token, context.now());
  return accountId === null ? null : context.accounts.findAccount(accountId);
}

/**
 * Sets a new password by a mailed link and ends every session. If the address had not been verified before,
 * all live keys are revoked: whoever created them may not own the address. Throws `invalid_parameter` if the
 * link was used or has expired.
 */
export async function resetPassword(
  context: AccessContext,
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<{ keysRevoked: number }> {
  const account = await findResetAccount(context, token, client);
  if (!account) throw invalidLink();
  checkPassword(password, account.email, 'password');
  // Computed before the transaction begins, so that no transaction lasts as long as a hash.
  const passwordHash = await context.gate(toWorkCaller(context, client, account.email), () =>
    hashPassword(password),
  );
  const reset = { token, passwordHash, requestId: client.requestId, nowMs: context.now() };
  const result = await context.store.resetPassword(reset);
  if (!result) throw invalidLink();
  context.throttle.recordOwner(client.address, account.email);
  return { keysRevoked: result.keysRevoked };
}

export function invalidLink(): ApiError {
  return new ApiError('invalid_parameter', 'This link has been used or has expired: ask for a new one.', {
    param: 'token',
  });
}
