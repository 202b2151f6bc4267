import type { Kysely, Transaction } from 'kysely';
import type { Account, AccountChanges, AccountStore } from '#accounts';
import { loadExportPage } from './account-export.ts';
import { toAccount, toAccountRow } from './account-row.ts';
import { PASSWORD_PROVIDER, setPassword } from './credentials.ts';
import { recordKeyChange } from './key-changes.ts';
import { assertAdminIsLeft, isActiveAdmin } from './last-admin.ts';
import { listAccounts } from './list-accounts.ts';
import { deleteUsage } from './prune-usage.ts';
import type { Schema } from './schema.ts';
import { inTransaction } from './transaction.ts';

/**
 * Creates the store of accounts. `onChange` is called after changes that affect the authentication of keys;
 * `eraseHistory` removes the copies of deleted rows from the write-ahead log.
 */
export function createAccountStore(
  db: Kysely<Schema>,
  onChange: (accountId: string) => void,
  eraseHistory: () => Promise<void>,
): AccountStore {
  return {
    async findAccount(id) {
      const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toAccount(row) : null;
    },
    async findAccountByEmail(email) {
      const row = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
      return row ? toAccount(row) : null;
    },
    insertAccount: (account, passwordHash) =>
      inTransaction(db, (trx) => insertAccount(trx, account, passwordHash)),
    async updateAccount(id, changes, nowMs) {
      const account = await updateAccount(db, id, changes, nowMs);
      if (account) onChange(id);
      return account;
    },
    async makeFirstAdmin(id, nowMs) {
      const isFirst = await inTransaction(db, (trx) => makeFirstAdmin(trx, id, nowMs));
      if (isFirst) onChange(id);
      return isFirst;
    },
    listAccounts: (request) => listAccounts(db, request),
    async hasAdmin() {
      const admins = db.selectFrom('accounts').select('id').where(isActiveAdmin).limit(1);
      return (await admins.executeTakeFirst()) !== undefined;
    },
    countAccountsByPlan: () => countAccountsByPlan(db),
    loadExportPage: (id, cursor) => loadExportPage(db, id, cursor),
    async deleteAccount(id, passwordHash) {
      const isDeleted = await inTransaction(db, (trx) => deleteAccount(trx, id, passwordHash));
      if (isDeleted) {
        onChange(id);
        await deleteUsage(db, id);
        await eraseHistory();
      }
      return isDeleted;
    },
  };
}

async function insertAccount(
  trx: Transaction<Schema>,
  account: Account,
  passwordHash: string | undefined,
): Promise<boolean> {
  const row = await trx
    .insertInto('accounts')
    .values(toAccountRow(account))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) return false;
  if (passwordHash !== undefined) await setPassword(trx, row.id, passwordHash, account.createdAtMs);
  return true;
}

async function updateAccount(
  db: Kysely<Schema>,
  id: string,
  { plan, admin, disabled, emailVerified }: AccountChanges,
  nowMs: number,
): Promise<Account | null> {
  return inTransaction(db, async (trx) => {
    const row = await trx
      .updateTable('accounts')
      .set({
        updated_at: nowMs,
        ...(plan !== undefined && { plan }),
        ...(admin !== undefined && { admin: Number(admin) }),
        ...(disabled !== undefined && { disabled: Number(disabled) }),
        ...(emailVerified !== undefined && { email_verified: Number(emailVerified) }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) return null;
    await recordKeyChange(trx, id);
    if (admin === false || (disabled === true && row.admin === 1)) await assertAdminIsLeft(trx);
    return toAccount(row);
  });
}

async function makeFirstAdmin(trx: Transaction<Schema>, id: string, nowMs: number): Promise<boolean> {
  // Written before the check: this locks the row of changes, so that concurrent calls run one by one.
  await recordKeyChange(trx, id);
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ admin: 1, updated_at: nowMs })
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('accounts as other')
            .select('other.id')
            .where('other.admin', '=', 1)
            .where('other.disabled', '=', 0),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function countAccountsByPlan(db: Kysely<Schema>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('accounts')
    .select(['plan', ({ fn }) => fn.countAll<number>().as('accounts')])
    .groupBy('plan')
    .execute();
  return new Map(rows.map((row) => [row.plan, row.accounts]));
}

/** Deletes the account, with its keys, sessions and credentials by `on delete cascade`. */
async function deleteAccount(
  trx: Transaction<Schema>,
  id: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  let account = trx.deleteFrom('accounts').where('id', '=', id);
  if (passwordHash !== undefined)
    account = account.where('id', 'in', (eb) =>
      eb
        .selectFrom('credentials')
        .select('account_id')
        .where('provider_id', '=', PASSWORD_PROVIDER)
        .where('password_hash', '=', passwordHash),
    );
  const row = await account.returning(['email', 'admin', 'disabled']).executeTakeFirst();
  if (!row) return false;
  await trx.deleteFrom('links').where('email', '=', row.email).execute();
  await trx.deleteFrom('audit_events').where('account_id', '=', id).execute();
  await recordKeyChange(trx, id);
  if (row.admin === 1 && row.disabled === 0) await assertAdminIsLeft(trx);
  return true;
}
