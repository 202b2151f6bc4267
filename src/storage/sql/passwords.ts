import type { Kysely } from 'kysely';
import type { AccessStore } from '#accounts/sign-in';
import { endAccess, PASSWORD_PROVIDER, setPassword } from './credentials.ts';
import { resetPassword } from './reset-password.ts';
import type { Schema } from './schema.ts';
import { inTransaction } from './transaction.ts';

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
