import { setImmediate } from 'node:timers/promises';
import { type Kysely, type Transaction, sql } from 'kysely';
import type { Account, AccountChanges, AccountListRequest, AccountStore } from '#accounts';
import type { AccountUsage, BucketSize } from '#usage';
import { loadExportPage } from './account-export.ts';
import { assertAdminIsLeft, isActiveAdmin, toAccount, toAccountRow } from './account-row.ts';
import { PASSWORD_PROVIDER, setPassword } from './passwords.ts';
import { isLive, recordKeyChange } from './key-store.ts';
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
  async function find(column: 'id' | 'email', value: string): Promise<Account | null> {
    const row = await db.selectFrom('accounts').selectAll().where(column, '=', value).executeTakeFirst();
    return row ? toAccount(row) : null;
  }
  return {
    findAccount: (id) => find('id', id),
    findAccountByEmail: (email) => find('email', email),
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
    countIdleDays: (minDays, nowMs) => countIdleDays(db, minDays, nowMs),
    async deleteAccount(id, passwordHash, isUnproven) {
      const isDeleted = await inTransaction(db, (trx) => deleteAccount(trx, id, passwordHash, isUnproven));
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
  { plan, admin, disabled, emailVerified, keysDisabledAtMs }: AccountChanges,
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
        // The days until the deletion are counted from here.
        ...(keysDisabledAtMs !== undefined && { keys_disabled_at: keysDisabledAtMs, idle_days: 0 }),
        // An operator who changes the plan knows the account.
        ...((plan !== undefined || admin) && { self_made: 0 }),
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
    .set({ admin: 1, self_made: 0, updated_at: nowMs })
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
  isUnproven = false,
): Promise<boolean> {
  let account = trx.deleteFrom('accounts').where('id', '=', id);
  if (isUnproven) account = account.where('self_made', '=', 1).where('email_verified', '=', 0);
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

const DAY_MS = 86_400_000;
/** Accounts per statement, which holds the write lock and the event loop for some milliseconds. */
const COUNTED_PER_UPDATE = 200;

/** See `AccountStore.countIdleDays`. */
async function countIdleDays(
  db: Kysely<Schema>,
  minDays: number,
  nowMs: number,
): ReturnType<AccountStore['countIdleDays']> {
  const found = [];
  // Clocks of replicas differ by less than an hour: one that is further ahead has jumped.
  const [dayAgo, ahead] = [nowMs - DAY_MS, nowMs + 3_600_000];
  const isDue = sql`(counted_at is null or counted_at <= ${dayAgo} or counted_at > ${ahead})`;
  for (let counted = COUNTED_PER_UPDATE; counted === COUNTED_PER_UPDATE; await setImmediate()) {
    const { rows } = await sql<{
      id: string;
      email: string;
      idle_days: number;
      keys_disabled_at: number | null;
    }>`
      update accounts set counted_at = ${nowMs}, idle_days = case
        when counted_at is null then 0
        when counted_at > ${ahead} then case when idle_days > 0 then idle_days - 1 else 0 end
        when keys_disabled_at is null and (
          exists (select 1 from api_keys where account_id = accounts.id and last_used_at > counted_at)
          or exists (select 1 from sessions where account_id = accounts.id and updated_at > counted_at)) then 0
        else idle_days + 1 end
      where id in (select id from accounts where self_made = 1 and email_verified = 0 and ${isDue}
          limit ${sql.lit(COUNTED_PER_UPDATE)})
        and ${isDue}
      returning id, email, idle_days, keys_disabled_at`.execute(db);
    for (const { id, email, idle_days: idleDays, keys_disabled_at: keysDisabledAtMs } of rows)
      if (idleDays >= minDays) found.push({ id, email, idleDays, keysDisabledAtMs });
    counted = rows.length;
  }
  return found;
}

/** Returns a page of accounts, newest first (see `AccountStore.listAccounts`). */
async function listAccounts(
  db: Kysely<Schema>,
  { query, beforeId, limit, nowMs }: AccountListRequest,
): ReturnType<AccountStore['listAccounts']> {
  let rows = selectSummaries(db, nowMs).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
  if (query) {
    const pattern = `%${query.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    rows = rows.where(sql<boolean>`email like ${pattern} escape '\\'`);
  }
  if (beforeId)
    rows = rows.where(
      sql<boolean>`(created_at, id) < (select b.created_at, b.id from accounts b where b.id = ${beforeId})`,
    );
  return (await rows.execute()).map((row) =>
    Object.assign(toAccount(row), { liveKeys: row.live_keys ?? 0, lastUsedAtMs: row.last_used_at }),
  );
}

/** Selects accounts with the number of their live keys and the last use of any key. */
function selectSummaries(db: Kysely<Schema>, nowMs: number) {
  return db
    .selectFrom('accounts')
    .selectAll('accounts')
    .select((eb) => [
      eb
        .selectFrom('api_keys')
        .whereRef('api_keys.account_id', '=', 'accounts.id')
        .where(isLive(nowMs))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('live_keys'),
      eb
        .selectFrom('api_keys')
        .whereRef('api_keys.account_id', '=', 'accounts.id')
        .select(({ fn }) => fn.max('last_used_at').as('max'))
        .as('last_used_at'),
    ]);
}

/** Returns the counts of all accounts in one bucket (see `UsageStore.sumAccounts`). */
export async function sumAccounts(
  db: Kysely<Schema>,
  bucketSize: BucketSize,
  bucketStartMs: number,
): Promise<AccountUsage[]> {
  const rows = await db
    .selectFrom('usage_counts')
    .select(['account_id as accountId', 'operation', 'status_class as statusClass'])
    .select(({ fn }) => fn.sum<number>('requests').as('requests'))
    .where('bucket_size', '=', bucketSize)
    .where('bucket_start', '=', bucketStartMs)
    .groupBy(['account_id', 'operation', 'status_class'])
    .execute();
  return rows.map((row) => ({ ...row }));
}
