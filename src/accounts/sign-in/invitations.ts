import { ApiError } from '#errors';
import type { Link } from '../access-store.ts';
import type { AccessContext } from './access-context.ts';
import { parseEmail } from './password.ts';
import { createLink, findLink } from './links.ts';

/** Creates an invitation to sign up, for one email address or any. Returns the token of its link. */
export async function createInvite(
  context: Pick<AccessContext, 'store' | 'now'>,
  email: string | null,
  createdBy: string,
): Promise<{ token: string; expiresAtMs: number }> {
  return createLink(context, 'invite', email === null ? null : parseEmail(email), createdBy);
}

/** Formats the path of the sign-up page with the token, and with the invited address in its field. */
export function formatInvitationPath(token: string, email: string | null): string {
  const query = new URLSearchParams({ invite: token, ...(email !== null && { email: email.trim() }) });
  return `/sign-up?${query.toString()}`;
}

const ID_PREFIX = 'inv_';

/** Formats the id by which an invitation is revoked. It is no secret: its token cannot be derived from it. */
export function formatInvitationId({ tokenHash }: Pick<Link, 'tokenHash'>): string {
  return `${ID_PREFIX}${tokenHash}`;
}

/** Deletes an invitation that was not used. Returns false if there is none with this id. */
export async function revokeInvitation(
  { store }: Pick<AccessContext, 'store'>,
  id: string,
): Promise<boolean> {
  return id.startsWith(ID_PREFIX) && store.deleteInvitation(id.slice(ID_PREFIX.length));
}

/** Returns the state of an invitation. */
export function getInvitationState(
  { usedAtMs, expiresAtMs }: Pick<Link, 'usedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): 'pending' | 'used' | 'expired' {
  if (usedAtMs !== null) return 'used';
  return expiresAtMs > nowMs ? 'pending' : 'expired';
}

/** Throws `invalid_parameter` unless the token invites this address to sign up. */
export async function assertInvited(
  context: Pick<AccessContext, 'store' | 'now'>,
  token: string,
  email: string,
): Promise<void> {
  const invitation = await findLink(context, 'invite', token);
  if (!invitation || (invitation.email ?? email) !== email) throw invalidInvite();
}

export function invalidInvite(): ApiError {
  return new ApiError(
    'invalid_parameter',
    'Sign-up needs an invitation, and this one is not valid, used, or for another address: ask for a new link.',
    { param: 'invite' },
  );
}
