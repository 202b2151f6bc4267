import { ApiError } from '#errors';
import type { Account } from '../account.ts';
import { buildAccount } from '../create-account.ts';
import { recordAudit, toWorkCaller, type AccessContext, type Client } from './access-context.ts';
import { formatRepeatedSignUpMail } from './account-mails.ts';
import { assertInvited, invalidInvite } from './invitations.ts';
import { useLink } from './links.ts';
import { sendVerification } from './verify-email.ts';
import { parseEmail } from './credential-rules.ts';
import { hashPassword } from './password-hash.ts';
import { assertStrongPassword } from './credential-rules.ts';

export interface SignUpRequest {
  email: string;
  password: string;
  invite?: string | undefined;
}

/**
 * Creates an account with a password. If the email address belongs to an account, the response and its work
 * are the same, and the owner gets a mail. Throws `invalid_parameter` for a weak password, a malformed
 * address or a missing, used or wrong invitation.
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
  const passwordHash = await gate(await toWorkCaller(context, client, email), () => hashPassword(password));
  if (invite !== undefined && !(await useLink(context, 'invite', invite))) throw invalidInvite();
  await insertAccount(context, { email, passwordHash }, client);
}

/** Creates the account. Returns null, and mails the owner, if the email address belongs to an account. */
export async function insertAccount(
  context: AccessContext,
  { email, passwordHash }: { email: string; passwordHash: string },
  client: Client,
): Promise<Account | null> {
  const { accounts, plans, now } = context;
  const existing = await accounts.findAccountByEmail(email);
  if (existing) {
    await reportRepeatedSignUp(context, existing, client);
    return null;
  }
  const account = buildAccount(plans, { email }, now());
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
