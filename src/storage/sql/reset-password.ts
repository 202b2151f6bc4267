import type { Transaction } from 'kysely';
import type { AuditEventName, PasswordReset, PasswordResetResult } from '#accounts/sign-in';
import { endAccess, setPassword } from './credentials.ts';
import { recordKeyChange } from './key-changes.ts';
import { isLive } from './live-keys.ts';
import type { Schema } from './schema.ts';
import { createSortedId } from './sorted-id.ts';

/**
 * Resets the password of the link's account (see `AccessStore.resetPassword`). All changes are in `trx`:
 * after a crash, all of them are stored or none.
 */
export async function resetPassword(
  trx: Transaction<Schema>,
  reset: PasswordReset,
): Promise<PasswordResetResult | null> {
  const { tokenHash, passwordHash, nowMs } = reset;
  const link = await trx
    .deleteFrom('links')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', 'reset')
    .where('expires_at', '>', nowMs)
    .returning(['email', 'created_by'])
    .executeTakeFirst();
  if (!link) return null;
  // Written before the keys are counted: this locks the account's row, as the creation of a key does.
  const account = await trx
    .updateTable('accounts')
    .set({ updated_at: nowMs })
    .where('email', '=', link.email)
    .returning(['id', 'email', 'email_verified'])
    .executeTakeFirst();
  if (!account) return null;
  const accountId = account.id;
  const isVerified = account.email_verified === 1;
  const keysRevoked = isVerified ? 0 : await revokeLiveKeys(trx, accountId, nowMs);
  await endAccess(trx, accountId, account.email);
  await setPassword(trx, accountId, passwordHash, nowMs);
  // A link that was mailed to the address verifies it; one that a person handed over does not.
  if (link.created_by === null)
    await trx.updateTable('accounts').set({ email_verified: 1 }).where('id', '=', accountId).execute();
  await recordReset(trx, reset, accountId, keysRevoked);
  return { accountId, keysRevoked };
}

async function recordReset(
  trx: Transaction<Schema>,
  { requestId, ip, nowMs }: PasswordReset,
  accountId: string,
  keysRevoked: number,
): Promise<void> {
  const events: [AuditEventName, string][] = [['password.reset', '']];
  if (keysRevoked > 0)
    events.push(['keys.revoked_by_reset', keysRevoked === 1 ? '1 key' : `${keysRevoked} keys`]);
  const rows = events.map(([event, detail]) => ({
    id: createSortedId(nowMs),
    account_id: accountId,
    event,
    detail,
    request_id: requestId,
    ip,
    at: nowMs,
  }));
  await trx.insertInto('audit_events').values(rows).execute();
}

async function revokeLiveKeys(trx: Transaction<Schema>, accountId: string, nowMs: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('api_keys')
    .set({ revoked_at: nowMs })
    .where('account_id', '=', accountId)
    .where(isLive(nowMs))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await recordKeyChange(trx, accountId);
  return Number(numUpdatedRows);
}
