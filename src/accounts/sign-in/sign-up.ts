import { hash } from 'node:crypto';
import { ApiError } from '#errors';
import { parseAccountEmail, type Account } from '../account.ts';
import type { Invitation } from '../access-store.ts';
import { createRandomText } from '../random-text.ts';
import { recordAudit, toWorkCaller, type AccessContext, type Client } from './access-context.ts';
import { formatRepeatedSignUpMail } from './account-mails.ts';
import { withComputedHash } from './auth-engine.ts';
import { hashPassword } from './password-hash.ts';
import { checkPassword } from './password-rules.ts';
import { signIn, type SignedIn } from './sign-in.ts';

const INVITE_MS = 7 * 86_400_000;
const SETUP_MS = 7 * 86_400_000;

export interface SignUpRequest {
  email: string;
  password: string;
  invite?: string | undefined;
}

/**
 * Creates an account that can sign in at once. A taken address gets the same answer after the same work, and its owner a mail.
 * Throws `invalid_parameter` for a weak password, an address that is none, or a missing or used invitation.
 */
export async function signUp(context: AccessContext, request: SignUpRequest, client: Client): Promise<void> {
  const { throttle, signups, gate } = context;
  throttle.takeRequest(client.address);
  const email = checkEmail(request.email);
  checkPassword(request.password, email, 'password');
  if (signups === 'closed')
    throw new ApiError('invalid_parameter', 'Sign-up is closed here: ask the operator for an account.', {
      param: 'email',
    });
  if (signups === 'invite' || request.invite !== undefined)
    await checkInvite(context, request.invite ?? '', email);
  const passwordHash = await gate(toWorkCaller(context, client, email), () => hashPassword(request.password));
  if (request.invite !== undefined) await useInvite(context, request.invite);
  await insertAccount(context, email, request.password, passwordHash, client);
}

/** The account that was created; null where the address is taken. */
async function insertAccount(
  context: AccessContext,
  email: string,
  password: string,
  passwordHash: string,
  client: Client,
): Promise<Account | null> {
  const { accounts, engines, sendMail, readOrigin, throttle } = context;
  const taken = await accounts.findAccountByEmail(email);
  if (taken) {
    // Awaited, unlike other entries: a commit here as there, so that both answers take the same time.
    await context.store.insertAuditEvent({
      accountId: taken.id,
      event: 'sign_up.repeated',
      detail: '',
      requestId: client.requestId,
      atMs: context.now(),
    });
    if (throttle.takeMail(email, 'repeated sign-up'))
      sendMail(formatRepeatedSignUpMail(taken, readOrigin())).catch(context.onError);
    return null;
  }
  try {
    await withComputedHash(passwordHash, () =>
      engines.plain.api.signUpEmail({ body: { email, password, name: '' } }),
    );
  } catch (error) {
    // Two sign-ups at once: the second finds the address taken, and answers like the first.
    if (await accounts.findAccountByEmail(email)) return null;
    throw new ApiError('unavailable', undefined, { retryAfterSeconds: 30, cause: error });
  }
  const account = await accounts.findAccountByEmail(email);
  if (!account) throw new ApiError('unavailable', undefined, { retryAfterSeconds: 5 });
  recordAudit(context, account.id, 'account.created', '', client.requestId);
  setImmediate(() => {
    engines.plain.api.sendVerificationEmail({ body: { email } }).catch(context.onError);
  });
  return account;
}

function checkEmail(text: string): string {
  const email = parseAccountEmail(text);
  if (email === null)
    throw new ApiError('invalid_parameter', 'This is not an email address: write it as ann@example.com.', {
      param: 'email',
    });
  return email;
}

async function checkInvite(
  { store, now }: AccessContext,
  invite: string,
  email: string,
): Promise<Invitation> {
  const invitation = await store.findInvitation(hashToken(invite), now());
  if (invitation?.purpose === 'invite' && (invitation.email ?? email) === email) return invitation;
  throw invalidInvite();
}

async function useInvite({ store, now }: AccessContext, invite: string): Promise<void> {
  if (!(await store.useInvitation(hashToken(invite), now()))) throw invalidInvite();
}

function invalidInvite(): ApiError {
  return new ApiError(
    'invalid_parameter',
    'Sign-up needs an invitation, and this one is not valid, used, or for another address: ask for a new link.',
    { param: 'invite' },
  );
}

/** Creates an invitation; gives the secret part of its link. */
export async function createInvite(
  { store, now }: AccessContext,
  email: string | null,
): Promise<{ token: string; expiresAtMs: number }> {
  const token = createRandomText(32);
  const expiresAtMs = now() + INVITE_MS;
  await store.insertInvitation({
    tokenHash: hashToken(token),
    purpose: 'invite',
    email: email === null ? null : checkEmail(email),
    expiresAtMs,
  });
  return { token, expiresAtMs };
}

/** A link that makes its first user an administrator, or null where there is one. Links made before end. */
export async function createSetupLink({ store, accounts, now }: AccessContext): Promise<string | null> {
  if (await accounts.hasAdmin()) return null;
  const token = createRandomText(32);
  await store.deleteInvitations('setup');
  await store.insertInvitation({
    tokenHash: hashToken(token),
    purpose: 'setup',
    email: null,
    expiresAtMs: now() + SETUP_MS,
  });
  return token;
}

/** Creates the first administrator and signs in. Throws `invalid_parameter` where the link was used, has expired, or there is an administrator. */
export async function setUp(
  context: AccessContext,
  { token, email: text, password }: { token: string; email: string; password: string },
  client: Client,
): Promise<SignedIn> {
  const { store, accounts, throttle, gate, now } = context;
  throttle.takeRequest(client.address);
  const email = checkEmail(text);
  checkPassword(password, email, 'password');
  const invitation = await store.findInvitation(hashToken(token), now());
  if (invitation?.purpose !== 'setup' || (await accounts.hasAdmin())) throw invalidSetup();
  if (await accounts.findAccountByEmail(email)) throw takenEmail();
  const passwordHash = await gate(toWorkCaller(context, client, email), () => hashPassword(password));
  if (!(await store.useInvitation(hashToken(token), now()))) throw invalidSetup();
  const account = await insertAccount(context, email, password, passwordHash, client);
  // Someone else signed up with the address meanwhile: theirs must not become the administrator's account.
  if (!account) throw takenEmail();
  await accounts.updateAccount(account.id, { admin: true }, now());
  recordAudit(context, account.id, 'account.made_administrator', 'by the set-up link', client.requestId);
  return signIn(context, { email, password }, client);
}

function takenEmail(): ApiError {
  return new ApiError(
    'invalid_parameter',
    'There is an account with this address: take another, or make it an administrator with accounts create --admin.',
    { param: 'email' },
  );
}

function invalidSetup(): ApiError {
  return new ApiError(
    'invalid_parameter',
    'This set-up link is not valid any more: restart the service for a new one, or use the command line.',
    { param: 'token' },
  );
}

function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
