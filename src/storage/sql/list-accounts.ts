import { sql, type Kysely } from 'kysely';
import type { AccountListRequest, AccountStore } from '#accounts';
import { toAccount } from './account-row.ts';
import { isLive } from './live-keys.ts';
import type { Schema } from './schema.ts';

/** Returns a page of accounts, newest first (see `AccountStore.listAccounts`). */
export async function listAccounts(
  db: Kysely<Schema>,
  { query, beforeId, limit, nowMs }: AccountListRequest,
): ReturnType<AccountStore['listAccounts']> {
  let rows = selectSummaries(db, nowMs).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
  if (query) {
    const pattern = `%${query.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    rows = rows.where(sql<boolean>`email like ${pattern} escape '\\'`);
  }
  if (beforeId) {
    const before = await db
      .selectFrom('accounts')
      .select(['created_at', 'id'])
      .where('id', '=', beforeId)
      .executeTakeFirst();
    if (!before) return [];
    rows = rows.where((eb) =>
      eb.or([
        eb('created_at', '<', before.created_at),
        eb.and([eb('created_at', '=', before.created_at), eb('id', '<', before.id)]),
      ]),
    );
  }
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
