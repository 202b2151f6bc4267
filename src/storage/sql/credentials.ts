import type { Kysely, Transaction } from 'kysely';
import { lockAccount } from './lock-account.ts';
import type { Schema } from './schema.ts';
import { createSortedId } from './sorted-id.ts';

/** The name that better-auth gives to a password among an account's ways to sign in. */
export const PASSWORD_PROVIDER = 'credential';

/** Stores the password. An account that an operator created has none before. */
export async function setPassword(
  trx: Transaction<Schema>,
  accountId: string,
  passwordHash: string,
  nowMs: number,
): Promise<void> {
  const changes = { password_hash: passwordHash, updated_at: nowMs };
  await trx
    .insertInto('credentials')
    .values({
      id: createSortedId(nowMs),
      account_id: accountId,
      provider_id: PASSWORD_PROVIDER,
      provider_account_id: accountId,
      created_at: nowMs,
      ...changes,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'provider_id']).doUpdateSet(changes))
    .execute();
}

/** Ends sign-ins of the account that wait for its second factor: their value is the account's id. */
export async function endPendingSignIns(db: Kysely<Schema>, accountId: string): Promise<void> {
  await db.deleteFrom('verifications').where('value', '=', accountId).execute();
}

/**
 * Ends what an earlier password allowed: all sessions, sign-ins in progress, and the links that set another
 * one.
 */
export async function endAccess(trx: Transaction<Schema>, accountId: string, email: string): Promise<void> {
  await lockAccount(trx, accountId);
  await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  await endPendingSignIns(trx, accountId);
  await trx.deleteFrom('links').where('purpose', '=', 'reset').where('email', '=', email).execute();
}
