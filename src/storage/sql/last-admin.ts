import type { ExpressionBuilder, Transaction } from 'kysely';
import { ApiError } from '#errors';
import type { Schema } from './schema.ts';

/** An administrator who can sign in. */
export const isActiveAdmin = ({ and, eb }: ExpressionBuilder<Schema, 'accounts'>) =>
  and([eb('admin', '=', 1), eb('disabled', '=', 0)]);

/**
 * Throws `invalid_parameter` if no administrator is left who can sign in. Belongs after the change and after
 * `recordKeyChange` in its transaction: that locks a row, so that of two changes at once the second one sees
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
