import { hash } from 'node:crypto';
import { ApiError } from '#errors';
import type { Invitation } from '../access-store.ts';
import { createRandomText } from '../random-text.ts';
import type { AccessContext } from './access-context.ts';
import { parseEmail } from './credential-rules.ts';

const LIFETIME_MS = 7 * 86_400_000;
const TOKEN_LENGTH = 32;

type StoreAndClock = Pick<AccessContext, 'store' | 'now'>;

/** Creates an invitation to sign up, for one email address or any. Returns the token of its link. */
export async function createInvite(
  context: AccessContext,
  email: string | null,
): Promise<{ token: string; expiresAtMs: number }> {
  return insertInvitation(context, 'invite', email === null ? null : parseEmail(email));
}

/** Stores an invitation that expires in 7 days. Returns its token, of which only a digest is stored. */
export async function insertInvitation(
  { store, now }: StoreAndClock,
  purpose: Invitation['purpose'],
  email: string | null,
): Promise<{ token: string; expiresAtMs: number }> {
  const token = createRandomText(TOKEN_LENGTH);
  const expiresAtMs = now() + LIFETIME_MS;
  await store.insertInvitation({ tokenHash: hashToken(token), purpose, email, expiresAtMs });
  return { token, expiresAtMs };
}

/** Returns the invitation of the token, null if it does not exist, was used or has expired. */
export async function findInvitation(
  { store, now }: StoreAndClock,
  token: string,
): Promise<Invitation | null> {
  return store.findInvitation(hashToken(token), now());
}

/** Deletes and returns the invitation. Of concurrent callers, one gets it and the others null. */
export async function useInvitation(
  { store, now }: StoreAndClock,
  token: string,
): Promise<Invitation | null> {
  return store.useInvitation(hashToken(token), now());
}

/** Throws `invalid_parameter` unless the token invites this address to sign up. */
export async function assertInvited(context: StoreAndClock, token: string, email: string): Promise<void> {
  const invitation = await findInvitation(context, token);
  if (invitation?.purpose !== 'invite' || (invitation.email ?? email) !== email) throw invalidInvite();
}

export function invalidInvite(): ApiError {
  return new ApiError(
    'invalid_parameter',
    'Sign-up needs an invitation, and this one is not valid, used, or for another address: ask for a new link.',
    { param: 'invite' },
  );
}

function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
