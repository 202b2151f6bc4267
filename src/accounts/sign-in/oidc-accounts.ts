/** The accounts of people who sign in by the operator's identity provider. */
import { getOAuthState } from 'better-auth/api';
import { ApiError } from '#errors';
import { parseAccountEmail } from '../account.ts';
import { buildAccount } from '../create-account.ts';
import { recordAudit, type AccessContext, type Client, type Session } from './access-context.ts';
import { assertInvited } from './invitations.ts';
import { useLink } from './links.ts';
import type { OidcProfile } from './oidc-engine.ts';
import { requireProvider } from './oidc-sign-in.ts';
import { OidcRefused } from './oidc-refusals.ts';
import { getOidcSource } from './oidc-source.ts';
import { reauthenticate, type Proof } from './reauthenticate.ts';
import { formatIdentityLinkedMail } from './second-factor-mails.ts';

type AdmissionContext = Pick<AccessContext, 'store' | 'accounts' | 'plans' | 'signups' | 'now' | 'onError'>;

/**
 * Admits a person with verified claims: a known subject, the owner of an account with the same address, or a
 * new one, whose account is created by the rules of sign-up. Throws OidcRefused. An address that the provider
 * has not verified is refused before it is looked up, so that it reveals no accounts.
 */
export async function admitProfile(
  context: AdmissionContext,
  providerId: string,
  profile: OidcProfile,
): Promise<void> {
  const { store, accounts } = context;
  const { sub, email: address, email_verified: isVerified } = profile;
  const knownId = await store.findIdentityAccount(providerId, String(sub));
  if (knownId !== null) {
    if ((await accounts.findAccount(knownId))?.disabled) throw new OidcRefused('account_disabled');
    return;
  }
  const email = typeof address === 'string' ? parseAccountEmail(address) : null;
  // Some providers send the text.
  if (email === null || (isVerified !== true && isVerified !== 'true'))
    throw new OidcRefused('address_unverified');
  const account = await accounts.findAccountByEmail(email);
  if (account?.disabled) throw new OidcRefused('account_disabled');
  if (account && !account.emailVerified) throw new OidcRefused('account_unverified');
  if (!account) await createProviderAccount(context, email);
}

/** Creates an account without a password. The address is verified: the provider has done that. */
async function createProviderAccount(context: AdmissionContext, email: string): Promise<void> {
  const { accounts, plans, signups, now } = context;
  const state = (await getOAuthState()) as { invite?: unknown } | null;
  const invite = typeof state?.invite === 'string' ? state.invite : '';
  if (signups === 'closed') throw new OidcRefused('sign_up_closed');
  if (signups === 'invite') await consumeInvite(context, invite, email);
  const account = { ...buildAccount(plans, { email }, now()), emailVerified: true };
  // False if a concurrent request created it: better-auth then finds that account by its address.
  if (!(await accounts.insertAccount(account))) return;
  recordAudit(context, account.id, 'account.created', 'by the identity provider', getOidcSource());
}

async function consumeInvite(context: AdmissionContext, invite: string, email: string): Promise<void> {
  try {
    await assertInvited(context, invite, email);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_parameter')
      throw new OidcRefused('invitation_needed');
    throw error;
  }
  if (!(await useLink(context, 'invite', invite))) throw new OidcRefused('invitation_needed');
}

/** Records that an account was linked to the provider, and tells its owner. */
export async function reportLink(
  context: AdmissionContext & Pick<AccessContext, 'sendMail' | 'getOrigin'>,
  accountId: string,
  provider: string,
): Promise<void> {
  recordAudit(context, accountId, 'identity.linked', provider, getOidcSource());
  const account = await context.accounts.findAccount(accountId);
  if (account) await context.sendMail(formatIdentityLinkedMail(account, context.getOrigin(), provider));
}

/**
 * Unlinks the account from the provider. Throws `invalid_parameter` for a wrong proof, and for an account
 * without a password.
 */
export async function unlinkIdentity(
  context: AccessContext,
  session: Session,
  proof: Proof,
  client: Client,
): Promise<void> {
  const provider = requireProvider(context);
  const { id, email } = session.account;
  if ((await context.store.findPasswordHash(email)) === null)
    throw new ApiError(
      'invalid_parameter',
      `Set a password first: without ${provider.name} you could not sign in any more.`,
      { param: 'password' },
    );
  await reauthenticate(context, session, proof, client);
  if (!(await context.store.deleteIdentity(id, provider.id)))
    throw new ApiError('not_found', `Your account is not linked to ${provider.name}.`);
  recordAudit(context, id, 'identity.unlinked', provider.name, client);
}

/** The ways to sign in to an account. */
export interface SignInMethods {
  hasPassword: boolean;
  /** Null if the account has no second factor. */
  secondFactor: { recoveryCodesLeft: number } | null;
  /** The time when the account was linked to the provider; null if it is not. */
  identityLinkedAtMs: number | null;
}

/** Returns the ways to sign in to the session's account. */
export async function findSignInMethods(
  { store, oidc }: AccessContext,
  { account }: Session,
): Promise<SignInMethods> {
  return {
    hasPassword: (await store.findPasswordHash(account.email)) !== null,
    secondFactor: await store.findSecondFactor(account.id),
    identityLinkedAtMs: oidc && (await store.findIdentityTime(account.id, oidc.id)),
  };
}
