import type { Kysely, Transaction } from 'kysely';
import type { AccessStore, AuditEventName, PasswordReset, PasswordResetResult } from '#accounts/sign-in';
import { lockAccount } from './account-row.ts';
import type { Schema } from './schema.ts';
import { createSortedId } from './request-log.ts';
import { inTransaction } from './transaction.ts';
import { isLive, recordKeyChange } from './key-store.ts';

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
async function endAccess(trx: Transaction<Schema>, accountId: string, email: string): Promise<void> {
  await lockAccount(trx, accountId);
  await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  await endPendingSignIns(trx, accountId);
  await trx.deleteFrom('links').where('purpose', '=', 'reset').where('email', '=', email).execute();
}

type Passwords = 'findPasswordHash' | 'changePassword' | 'insertFirstPassword' | 'resetPassword';

/** Creates the store of passwords. `onKeyChange` is called after keys were revoked. */
export function createPasswords(
  db: Kysely<Schema>,
  onKeyChange: (accountId: string) => void,
): Pick<AccessStore, Passwords> {
  return {
    async findPasswordHash(email) {
      const row = await db
        .selectFrom('credentials')
        .innerJoin('accounts', 'accounts.id', 'credentials.account_id')
        .select('password_hash')
        .where('accounts.email', '=', email)
        .where('provider_id', '=', PASSWORD_PROVIDER)
        .executeTakeFirst();
      return row?.password_hash ?? null;
    },
    changePassword: ({ email, oldHash, newHash, nowMs }) =>
      inTransaction(db, async (trx) => {
        const row = await trx
          .updateTable('credentials')
          .set({ password_hash: newHash, updated_at: nowMs })
          .where('account_id', 'in', trx.selectFrom('accounts').select('id').where('email', '=', email))
          .where('provider_id', '=', PASSWORD_PROVIDER)
          .where('password_hash', '=', oldHash)
          .returning('account_id')
          .executeTakeFirst();
        if (!row) return false;
        await endAccess(trx, row.account_id, email);
        return true;
      }),
    insertFirstPassword: ({ accountId, passwordHash, nowMs }) =>
      inTransaction(db, async (trx) => {
        const account = await trx
          .updateTable('accounts')
          .set({ updated_at: nowMs })
          .where('id', '=', accountId)
          .returning('email')
          .executeTakeFirst();
        const known = trx
          .selectFrom('credentials')
          .select('id')
          .where('account_id', '=', accountId)
          .where('provider_id', '=', PASSWORD_PROVIDER);
        if (!account || (await known.executeTakeFirst())) return false;
        await setPassword(trx, accountId, passwordHash, nowMs);
        await endAccess(trx, accountId, account.email);
        return true;
      }),
    async resetPassword(reset) {
      const result = await inTransaction(db, (trx) => resetPassword(trx, reset));
      if (result && result.keysRevoked > 0) onKeyChange(result.accountId);
      return result;
    },
  };
}

/**
 * Resets the password of the link's account (see `AccessStore.resetPassword`). All changes are in `trx`:
 * after a crash, all of them are stored or none.
 */
async function resetPassword(
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
