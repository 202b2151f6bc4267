import {
  type ExpressionBuilder,
  type Insertable,
  PostgresAdapter,
  type Selectable,
  type Transaction,
} from 'kysely';
import type { Account } from '#accounts';
import { ApiError } from '#errors';
import type { AccountRow, Schema } from './schema.ts';

/** Converts a row of `accounts`. */
export function toAccount(row: Selectable<AccountRow>): Account {
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified === 1,
    plan: row.plan,
    admin: row.admin === 1,
    disabled: row.disabled === 1,
    ...toProof(row),
    createdAtMs: row.created_at,
  };
}

/** Returns whether the account is unproven, and when its keys were disabled because of that. */
export function toProof(
  row: Pick<Selectable<AccountRow>, 'self_made' | 'email_verified' | 'keys_disabled_at'>,
): Pick<Account, 'unproven' | 'keysDisabledAtMs'> {
  const unproven = row.self_made === 1 && row.email_verified === 0;
  return { unproven, keysDisabledAtMs: unproven ? row.keys_disabled_at : null };
}

/** Converts an account to a row of `accounts`. */
export function toAccountRow(account: Account): Insertable<AccountRow> {
  return {
    id: account.id,
    email: account.email,
    name: '',
    email_verified: Number(account.emailVerified),
    plan: account.plan,
    admin: Number(account.admin),
    disabled: Number(account.disabled),
    self_made: Number(account.unproven),
    counted_at: null,
    keys_disabled_at: account.keysDisabledAtMs,
    created_at: account.createdAtMs,
    updated_at: account.createdAtMs,
  };
}

/**
 * Locks the account's row against the creation of sessions until the transaction ends: waits for one that
 * is not committed yet, so that later statements see it. On SQLite, transactions run one by one anyway. An
 * update of the row does not suffice: a reference to a row in PostgreSQL does not wait for it.
 */
export async function lockAccount(trx: Transaction<Schema>, accountId: string): Promise<void> {
  if (!(trx.getExecutor().adapter instanceof PostgresAdapter)) return;
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}

/** An administrator who can sign in. */
export const isActiveAdmin = ({ and, eb }: ExpressionBuilder<Schema, 'accounts'>) =>
  and([eb('admin', '=', 1), eb('disabled', '=', 0)]);

/**
 * Throws `invalid_parameter` if no administrator is left who can sign in. Belongs after the change and after
 * `recordKeyChange` in its transaction: that locks a row, so that the second of two simultaneous changes sees
 * the first.
 */
export async function assertAdminIsLeft(trx: Transaction<Schema>): Promise<void> {
  const row = await trx.selectFrom('accounts').select('id').where(isActiveAdmin).limit(1).executeTakeFirst();
  if (!row)
    throw new ApiError(
      'invalid_parameter',
      'This account is the only administrator: make another account one first, with «npm run admin -- accounts create <email> --admin».',
    );
}
