import type { Insertable, Selectable } from 'kysely';
import type { Account } from '#accounts';
import type { AccountRow } from './schema.ts';

/** Converts a row of `accounts`. */
export function toAccount(row: Selectable<AccountRow>): Account {
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified === 1,
    plan: row.plan,
    admin: row.admin === 1,
    disabled: row.disabled === 1,
    createdAtMs: row.created_at,
  };
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
    created_at: account.createdAtMs,
    updated_at: account.createdAtMs,
  };
}
