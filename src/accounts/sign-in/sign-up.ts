import { ApiError } from '#errors';
import type { Account } from '../account.ts';
import { buildAccount } from '../create-account.ts';
import {
  type AccessContext,
  type Client,
  type Session,
  recordAudit,
  toWorkCaller,
} from './access-context.ts';
import { formatRepeatedSignUpMail, formatVerificationMail } from './account-mails.ts';
import { assertInvited, invalidInvite } from './invitations.ts';
import { createLink, findLink, invalidLink, useLink } from './links.ts';
import { assertStrongPassword, hashPassword, parseEmail } from './password.ts';
import { findSession } from './sessions.ts';

interface SignUpRequest {
  email: string;
  password: string;
  invite?: string | undefined;
}

/**
 * Creates an account with a password. If the email address belongs to an account, the response and its work
 * are the same, and the owner gets a mail. Throws `invalid_parameter` for a weak password, a malformed
 * address or a missing, used or wrong invitation; `rate_limit_exceeded` after too many sign-ups without one.
 */
export async function signUp(context: AccessContext, request: SignUpRequest, client: Client): Promise<void> {
  const { throttle, signups, gate } = context;
  const { password, invite } = request;
  await throttle.consumeRequest(client.address);
  const email = parseEmail(request.email);
  assertStrongPassword(password, email, 'password');
  if (signups === 'closed')
    throw new ApiError('invalid_parameter', 'Sign-up is closed here: ask the operator for an account.', {
      param: 'email',
    });
  if (signups === 'invite' || invite !== undefined) await assertInvited(context, invite ?? '', email);
  if (invite === undefined) await throttle.consumeSignUp(client.address);
  const passwordHash = await gate(await toWorkCaller(context, client, email), () => hashPassword(password));
  if (invite !== undefined && !(await useLink(context, 'invite', invite))) throw invalidInvite();
  await insertAccount(context, { email, passwordHash, isSelfMade: invite === undefined }, client);
}

/** Creates the account. Returns null, and mails the owner, if the email address belongs to an account. */
export async function insertAccount(
  context: AccessContext,
  { email, passwordHash, isSelfMade = false }: { email: string; passwordHash: string; isSelfMade?: boolean },
  client: Client,
): Promise<Account | null> {
  const { accounts, plans, now } = context;
  const existing = await accounts.findAccountByEmail(email);
  if (existing) {
    await reportRepeatedSignUp(context, existing, client);
    return null;
  }
  const account = { ...buildAccount(plans, { email }, now()), unproven: isSelfMade };
  // The second of two concurrent sign-ups with one address gets the same response as the first.
  if (!(await accounts.insertAccount(account, passwordHash))) return null;
  recordAudit(context, account.id, 'account.created', '', client);
  sendVerification(context, account);
  return account;
}

async function reportRepeatedSignUp(
  { store, throttle, sendMail, getOrigin, now, onError }: AccessContext,
  account: Account,
  client: Client,
): Promise<void> {
  // Awaited, unlike other entries: a new account costs a commit too, so both responses take the same time.
  await store.insertAuditEvent({
    accountId: account.id,
    event: 'sign_up.repeated',
    detail: '',
    requestId: client.requestId,
    ip: client.ip,
    atMs: now(),
  });
  if (await throttle.consumeMail(account.email, 'repeated sign-up'))
    sendMail(formatRepeatedSignUpMail(account, getOrigin())).catch(onError);
}

/**
 * Verifies the email address of an account by the mailed link, which is valid for 24 h. Requires a session
 * of the account: strangers can sign up with any address, and its owner who opens the link must not confirm
 * a stranger's password and keys. Throws `invalid_parameter` if the link has expired, `unauthorized`
 * without a session of the account.
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
function sendVerification(context: AccessContext, account: Account): void {
  setImmediate(() => {
    sendVerificationLink(context, account).catch(context.onError);
  });
}

async function sendVerificationLink(context: AccessContext, account: Account): Promise<void> {
  const { token } = await createLink(context, 'verify', account.email);
  await context.sendMail(formatVerificationMail(account, context.getOrigin(), token));
}
