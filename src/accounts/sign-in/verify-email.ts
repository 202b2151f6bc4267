import { ApiError } from '#errors';
import type { Account } from '../account.ts';
import { recordAudit, type AccessContext, type Client, type Session } from './access-context.ts';
import { formatVerificationMail } from './account-mails.ts';
import { createLink, findLink, invalidLink } from './links.ts';
import { findSession } from './sessions.ts';

/**
 * Verifies the email address of an account by the mailed link, which is valid for 24 h. Requires a session of
 * the account: strangers can sign up with any address, and its owner who opens the link must not confirm a
 * stranger's password and keys. Throws `invalid_parameter` if the link has expired, `unauthorized` without a
 * session of the account.
 */
export async function verifyEmail(context: AccessContext, token: string, client: Client): Promise<void> {
  await context.throttle.consumeRequest(client.address);
  const link = await findLink(context, 'verify', token);
  if (!link) throw invalidLink();
  const { account } = (await findSession(context, client)) ?? {};
  if (!account || account.email !== link.email)
    throw new ApiError(
      'unauthorized',
      'Sign in to the account of this address first, then confirm it. If you did not create the account, set a new password instead: this signs out the person who did and revokes its keys.',
    );
  // The link stays valid: opening it again is no error.
  if (account.emailVerified) return;
  await context.accounts.updateAccount(account.id, { emailVerified: true }, context.now());
  recordAudit(context, account.id, 'email.verified', '', client);
}

/** Mails the link that verifies the email address again, unless it is verified. */
export async function resendVerification(
  context: AccessContext,
  { account }: Session,
  client: Client,
): Promise<void> {
  await context.throttle.consumeRequest(client.address);
  if (account.emailVerified) return;
  if (!(await context.throttle.consumeMail(account.email, 'verification'))) return;
  sendVerification(context, account);
}

/** Mails the link that verifies the email address. Returns before the work starts. */
export function sendVerification(context: AccessContext, account: Account): void {
  setImmediate(() => {
    sendVerificationLink(context, account).catch(context.onError);
  });
}

async function sendVerificationLink(context: AccessContext, account: Account): Promise<void> {
  const { token } = await createLink(context, 'verify', account.email);
  await context.sendMail(formatVerificationMail(account, context.getOrigin(), token));
}
