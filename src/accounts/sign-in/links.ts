import { hash } from 'node:crypto';
import { ApiError } from '#errors';
import type { Link } from '../access-store.ts';
import { createRandomText } from '../random-text.ts';
import type { AccessContext } from './access-context.ts';

type StoreAndClock = Pick<AccessContext, 'store' | 'now'>;

const HOUR_MS = 3_600_000;
const LIFETIMES_MS: Readonly<Record<Link['purpose'], number>> = {
  invite: 7 * 24 * HOUR_MS,
  reset: HOUR_MS,
  setup: 7 * 24 * HOUR_MS,
  verify: 24 * HOUR_MS,
};
const TOKEN_LENGTH = 32;

/** Stores a link. Returns its token, of which only a digest is stored. */
export async function createLink(
  { store, now }: StoreAndClock,
  purpose: Link['purpose'],
  email: string | null,
  createdBy: string | null = null,
): Promise<{ token: string; expiresAtMs: number }> {
  const token = createRandomText(TOKEN_LENGTH);
  const createdAtMs = now();
  const expiresAtMs = createdAtMs + LIFETIMES_MS[purpose];
  const tokenHash = hashLinkToken(token);
  await store.insertLink({ tokenHash, purpose, email, expiresAtMs, createdAtMs, createdBy });
  return { token, expiresAtMs };
}

/** Returns the link of the token, null if it does not exist, was used or has expired. */
export function findLink(
  { store, now }: StoreAndClock,
  purpose: Link['purpose'],
  token: string,
): Promise<Link | null> {
  return store.findLink(purpose, hashLinkToken(token), now());
}

/** Deletes and returns the link. Of concurrent callers, one gets it and the others null. */
export function useLink(
  { store, now }: StoreAndClock,
  purpose: Link['purpose'],
  token: string,
): Promise<Link | null> {
  return store.useLink(purpose, hashLinkToken(token), now());
}

/** Returns the form in which the token of a link is stored. */
export function hashLinkToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Returns the error of a link that was used or has expired. */
export function invalidLink(): ApiError {
  return new ApiError('invalid_parameter', 'This link has been used or has expired: ask for a new one.', {
    param: 'token',
  });
}
