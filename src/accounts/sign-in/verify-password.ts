import { ApiError } from '#errors';
import type { AccessStore } from '../access-store.ts';
import { toWorkCaller, type AccessContext, type Client } from './access-context.ts';
import { isPassword } from './password-hash.ts';

/**
 * Runs `verify`, which returns null for a wrong password, within the throttle of failures and the gate of
 * password work.
 */
export async function verifyPassword<T>(
  context: Pick<AccessContext, 'throttle' | 'gate'>,
  client: Client,
  email: string,
  verify: () => Promise<T | null>,
): Promise<T | null> {
  const { throttle, gate } = context;
  const attempt = await throttle.beginAttempt(client.address, email);
  let result: T | null;
  try {
    result = await gate(await toWorkCaller(context, client, email), verify);
  } catch (error) {
    await attempt.undo();
    throw error;
  }
  if (result !== null) await attempt.succeed();
  return result;
}

/** Returns the hash of the account's password, null if `password` is not that password. */
export async function findMatchingHash(
  store: AccessStore,
  email: string,
  password: string,
): Promise<string | null> {
  const hash = await store.findPasswordHash(email);
  return hash !== null && (await isPassword(password, hash)) ? hash : null;
}

/**
 * Returns the error of a password that was replaced while it was verified, which takes tens of milliseconds.
 * It must have no effect after a reset: it would let in the person whom the reset has just signed out.
 */
export function replacedPassword(): ApiError {
  return new ApiError('unauthorized', 'The password was replaced at this moment: sign in with the new one.');
}
