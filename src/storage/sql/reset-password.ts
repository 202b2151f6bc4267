import { hash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AuditEventName, PasswordReset, PasswordResetResult } from '#accounts/sign-in';
import { recordKeyChange } from './key-changes.ts';
import { isLive } from './live-keys.ts';
import type { Schema } from './schema.ts';
import { createSortedId } from './sorted-id.ts';

/** The form in which better-auth stores the token of a reset link. */
export function toResetIdentifier(token: string): string {
  return hash('sha256', `reset-password:${token}`, 'base64url');
}

/**
 * Sets the password of the link's account. The keys of an account whose address was not verified are revoked
 * in the same transaction: after a crash, either all of it happened or nothing did.
 */
export async function resetPassword(
  trx: Transaction<Schema>,
  reset: PasswordReset,
): Promise<PasswordResetResult | null> {
  const { token, passwordHash, requestId, nowMs } = reset;
  const link = await trx
    .deleteFrom('verifications')
    .where('identifier', '=', toResetIdentifier(token))
    .where('expires_at', '>', nowMs)
    .returning('value')
    .executeTakeFirst();
  if (!link) return null;
  const accountId = link.value;
  // A write before the keys are looked at: it locks the account's row, as the creation of a key does.
  const account = await trx
    .updateTable('accounts')
    .set({ updated_at: nowMs })
    .where('id', '=', accountId)
    .returning('email_verified')
    .executeTakeFirst();
  if (!account) return null;
  const isVerified = account.email_verified === 1;
  const keysRevoked = isVerified ? 0 : await revokeLiveKeys(trx, accountId, nowMs);
  // Another link, whoever asked for it, must not undo this reset.
  await trx.deleteFrom('verifications').where('value', '=', accountId).execute();
  await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  await setPassword(trx, accountId, passwordHash, nowMs);
  // The link was mailed to the address.
  await trx.updateTable('accounts').set({ email_verified: 1 }).where('id', '=', accountId).execute();
  const events: [AuditEventName, string][] = [['password.reset', '']];
  if (keysRevoked > 0)
    events.push(['keys.revoked_by_reset', keysRevoked === 1 ? '1 key' : `${keysRevoked} keys`]);
  for (const [event, detail] of events)
    await trx
      .insertInto('audit_events')
      .values({
        id: createSortedId(nowMs),
        account_id: accountId,
        event,
        detail,
        request_id: requestId,
        at: nowMs,
      })
      .execute();
  return { accountId, keysRevoked };
}

async function revokeLiveKeys(trx: Transaction<Schema>, accountId: string, nowMs: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('api_keys')
    .set({ revoked_at: nowMs })
    .where('account_id', '=', accountId)
    .where(isLive(nowMs))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await recordKeyChange(trx);
  return Number(numUpdatedRows);
}

/** An account that an operator created has no password yet. */
async function setPassword(
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
      provider_id: 'credential',
      provider_account_id: accountId,
      created_at: nowMs,
      ...changes,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'provider_id']).doUpdateSet(changes))
    .execute();
}
