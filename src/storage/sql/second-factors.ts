import type { Kysely } from 'kysely';
import type { AccessStore } from '#accounts/sign-in';
import { endPendingSignIns } from './passwords.ts';
import type { Schema } from './schema.ts';
import { inTransaction } from './transaction.ts';

type SecondFactors =
  | 'findSecondFactor'
  | 'replaceRecoveryCodes'
  | 'deleteSecondFactor'
  | 'useCode'
  | 'deletePendingSignIns';

/** Creates the store of second factors. */
export function createSecondFactors(db: Kysely<Schema>): Pick<AccessStore, SecondFactors> {
  return {
    async findSecondFactor(accountId) {
      const row = await db
        .selectFrom('second_factors')
        .select('recovery_codes')
        .where('account_id', '=', accountId)
        .where('confirmed', '=', 1)
        .executeTakeFirst();
      return row ? { recoveryCodesLeft: (JSON.parse(row.recovery_codes) as string[]).length } : null;
    },
    async replaceRecoveryCodes(accountId, hashes) {
      const { numUpdatedRows } = await db
        .updateTable('second_factors')
        .set({ recovery_codes: JSON.stringify(hashes) })
        .where('account_id', '=', accountId)
        .where('confirmed', '=', 1)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    deleteSecondFactor: (accountId, { endsSessions }) =>
      inTransaction(db, async (trx) => {
        const row = await trx
          .deleteFrom('second_factors')
          .where('account_id', '=', accountId)
          .returning('confirmed')
          .executeTakeFirst();
        await trx.updateTable('accounts').set({ second_factor: 0 }).where('id', '=', accountId).execute();
        await endPendingSignIns(trx, accountId);
        if (endsSessions) await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
        return row?.confirmed === 1;
      }),
    async useCode({ accountId, codeHash, expiresAtMs }) {
      const row = await db
        .insertInto('used_codes')
        .values({ account_id: accountId, code_hash: codeHash, expires_at: expiresAtMs })
        .onConflict((conflict) => conflict.columns(['account_id', 'code_hash']).doNothing())
        .returning('account_id')
        .executeTakeFirst();
      return row !== undefined;
    },
    deletePendingSignIns: (accountId) => endPendingSignIns(db, accountId),
  };
}

type Identities = 'findIdentityAccount' | 'findIdentityTime' | 'deleteIdentity';

/** Creates the store of the identities of a sign-in provider. */
export function createIdentities(db: Kysely<Schema>): Pick<AccessStore, Identities> {
  return {
    async findIdentityAccount(providerId, subject) {
      const row = await db
        .selectFrom('credentials')
        .select('account_id')
        .where('provider_id', '=', providerId)
        .where('provider_account_id', '=', subject)
        .executeTakeFirst();
      return row?.account_id ?? null;
    },
    async findIdentityTime(accountId, providerId) {
      const row = await db
        .selectFrom('credentials')
        .select('created_at')
        .where('account_id', '=', accountId)
        .where('provider_id', '=', providerId)
        .executeTakeFirst();
      return row?.created_at ?? null;
    },
    async deleteIdentity(accountId, providerId) {
      const { numDeletedRows } = await db
        .deleteFrom('credentials')
        .where('account_id', '=', accountId)
        .where('provider_id', '=', providerId)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
