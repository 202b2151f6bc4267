import type { Kysely, Selectable, Transaction } from 'kysely';
import type { ApiKey, ApiKeyChanges, KeyGrant, KeyStore } from '#accounts';
import { insertKey } from './insert-key.ts';
import { recordKeyChange } from './key-changes.ts';
import { formatList, toKey } from './key-row.ts';
import { countLiveKeys } from './live-keys.ts';
import type { ApiKeyRow, Schema } from './schema.ts';
import { inTransaction } from './transaction.ts';

/**
 * Creates the store of API keys; single keys are found over the connection `reader`. `onChange` is called
 * after changes that affect the authentication of keys.
 */
export function createKeyStore(
  db: Kysely<Schema>,
  reader: Kysely<Schema>,
  onChange: (accountId: string) => void,
): KeyStore {
  const selectGrants = () =>
    reader
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .selectAll('api_keys')
      .select(['accounts.plan', 'accounts.disabled']);
  return {
    async findKeyBySecretHash(secretHash) {
      const row = await selectGrants().where('secret_hash', '=', secretHash).executeTakeFirst();
      return row ? toGrant(row) : null;
    },
    async findKey(id) {
      const row = await selectGrants().where('api_keys.id', '=', id).executeTakeFirst();
      return row ? toGrant(row) : null;
    },
    async insertKey(request) {
      const insertion = await inTransaction(db, (trx) => insertKey(trx, request));
      if (insertion.outcome === 'inserted') onChange(request.key.accountId);
      return insertion;
    },
    async listKeys(accountId) {
      let rows = db.selectFrom('api_keys').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
      if (accountId !== null) rows = rows.where('account_id', '=', accountId);
      return (await rows.execute()).map(toKey);
    },
    countLiveKeys: (accountId, nowMs) => countLiveKeys(db, accountId, nowMs),
    async updateKey(id, changes) {
      const key = await inTransaction(db, (trx) => updateKey(trx, id, changes));
      if (key) onChange(key.accountId);
      return key;
    },
    async revokeKey(id, nowMs) {
      const accountId = await inTransaction(db, (trx) => revokeKey(trx, id, nowMs));
      if (accountId !== null) onChange(accountId);
      return accountId !== null;
    },
  };
}

async function updateKey(
  trx: Transaction<Schema>,
  id: string,
  changes: ApiKeyChanges,
): Promise<ApiKey | null> {
  const { name, operations, clientCidrs } = changes;
  const row = await trx
    .updateTable('api_keys')
    .set({
      id,
      ...(name !== undefined && { name }),
      ...(operations !== undefined && { operations: formatList(operations) }),
      ...(clientCidrs !== undefined && { client_cidrs: formatList(clientCidrs) }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  await recordKeyChange(trx, row.account_id);
  return toKey(row);
}

/** Revokes the key. Returns its account, null if it was already revoked or does not exist. */
async function revokeKey(trx: Transaction<Schema>, id: string, nowMs: number): Promise<string | null> {
  const row = await trx
    .updateTable('api_keys')
    .set({ revoked_at: nowMs })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst();
  if (!row) return null;
  await recordKeyChange(trx, row.account_id);
  return row.account_id;
}

function toGrant(row: Selectable<ApiKeyRow> & { plan: string; disabled: number }): KeyGrant {
  return { key: toKey(row), plan: row.plan, disabled: row.disabled === 1 };
}
