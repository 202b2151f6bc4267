import { ApiError } from '#errors';
import {
  recordAudit,
  toWorkCaller,
  type AccessContext,
  type Client,
  type SignedIn,
} from './access-context.ts';
import { createLink, findLink, useLink } from './links.ts';
import { assertStrongPassword, hashPassword, parseEmail } from './password.ts';
import { signIn } from './sign-in.ts';
import { insertAccount } from './sign-up.ts';

/**
 * Creates the token of a link that creates the first administrator; earlier links stop working. Returns null
 * if there is an administrator.
 */
export async function createSetupLink(
  context: Pick<AccessContext, 'store' | 'accounts' | 'now'>,
): Promise<string | null> {
  if (await context.accounts.hasAdmin()) return null;
  await context.store.deleteLinks('setup');
  const { token } = await createLink(context, 'setup', null);
  return token;
}

/**
 * Creates the first administrator and signs in. Throws `invalid_parameter` if the link was used or has
 * expired, if there is an administrator, or if the email address belongs to an account.
 */
export async function setUp(
  context: AccessContext,
  { token, email: text, password }: { token: string; email: string; password: string },
  client: Client,
): Promise<SignedIn> {
  const { accounts, throttle, gate, now } = context;
  await throttle.consumeRequest(client.address);
  const email = parseEmail(text);
  assertStrongPassword(password, email, 'password');
  if (!(await findLink(context, 'setup', token)) || (await accounts.hasAdmin())) throw invalidSetup();
  if (await accounts.findAccountByEmail(email)) throw existingAccount();
  const passwordHash = await gate(await toWorkCaller(context, client, email), () => hashPassword(password));
  if (!(await useLink(context, 'setup', token))) throw invalidSetup();
  const account = await insertAccount(context, { email, passwordHash }, client);
  // Someone else signed up with the address meanwhile: their account must not become the administrator's.
  if (!account) throw existingAccount();
  // Another process may have printed a link too, which was used at the same time.
  if (!(await accounts.makeFirstAdmin(account.id, now()))) throw invalidSetup();
  recordAudit(context, account.id, 'account.made_administrator', 'by the set-up link', client);
  return signIn(context, { email, password }, client);
}

function existingAccount(): ApiError {
  return new ApiError(
    'invalid_parameter',
    'There is an account with this address: take another, or make it an administrator with accounts create --admin.',
    { param: 'email' },
  );
}

function invalidSetup(): ApiError {
  return new ApiError(
    'invalid_parameter',
    'This set-up link is not valid any more: get a new one with accounts setup-link on the command line, or restart the service.',
    { param: 'token' },
  );
}
