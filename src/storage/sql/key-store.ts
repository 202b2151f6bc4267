import type { Kysely, Selectable, Transaction } from 'kysely';
import type { ApiKey, ApiKeyChanges, KeyGrant, KeyInsertion, KeyStore, NewApiKey } from '#accounts';
import { recordKeyChange } from './key-changes.ts';
import type { ApiKeyRow, Schema } from './schema.ts';

/** API keys in SQL; single keys are found over `reader`. `onChange` is called after what may change the answer to who a key belongs to. */
export function createKeyStore(db: Kysely<Schema>, reader: Kysely<Schema>, onChange: () => void): KeyStore {
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
      const outcome = await db.transaction().execute((trx) => insertKey(trx, request));
      if (outcome === 'inserted') onChange();
      return outcome;
    },
    async listKeys(accountId) {
      let rows = db.selectFrom('api_keys').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
      if (accountId !== null) rows = rows.where('account_id', '=', accountId);
      return (await rows.execute()).map(toKey);
    },
    countLiveKeys: (accountId, nowMs) => countLiveKeys(db, accountId, nowMs),
    async updateKey(id, changes) {
      const key = await db.transaction().execute((trx) => updateKey(trx, id, changes));
      if (key) onChange();
      return key;
    },
    async revokeKey(id, nowMs) {
      const isRevoked = await db.transaction().execute((trx) => revokeKey(trx, id, nowMs));
      if (isRevoked) onChange();
      return isRevoked;
    },
  };
}

async function insertKey(trx: Transaction<Schema>, request: NewApiKey): Promise<KeyInsertion> {
  const { key, secretHash, maxLiveKeys, replaces } = request;
  // A write before the count: it locks the account's row, so that concurrent creations are counted one after the other.
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ updated_at: key.createdAtMs })
    .where('id', '=', key.accountId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return 'no_account';
  if (replaces && !(await endRotatedKey(trx, request, replaces))) return 'not_live';
  if ((await countLiveKeys(trx, key.accountId, key.createdAtMs)) >= maxLiveKeys) {
    if (!replaces) return 'too_many';
  }
  await trx.insertInto('api_keys').values(toRow(key, secretHash)).execute();
  await recordKeyChange(trx);
  return 'inserted';
}

async function endRotatedKey(
  trx: Transaction<Schema>,
  { key }: NewApiKey,
  { keyId, endsAtMs }: { keyId: string; endsAtMs: number },
): Promise<boolean> {
  const nowMs = key.createdAtMs;
  const { numUpdatedRows } = await trx
    .updateTable('api_keys')
    .set({ rotated_to: key.id, expires_at: endsAtMs, ...(endsAtMs <= nowMs && { revoked_at: nowMs }) })
    .where('id', '=', keyId)
    .where('account_id', '=', key.accountId)
    .where('revoked_at', 'is', null)
    .where('rotated_to', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function countLiveKeys(db: Kysely<Schema>, accountId: string, nowMs: number): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('rotated_to', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .executeTakeFirstOrThrow();
  return row.count;
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
  await recordKeyChange(trx);
  return toKey(row);
}

async function revokeKey(trx: Transaction<Schema>, id: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('api_keys')
    .set({ revoked_at: nowMs })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await recordKeyChange(trx);
  return numUpdatedRows > 0n;
}

function toGrant(row: Selectable<ApiKeyRow> & { plan: string; disabled: number }): KeyGrant {
  return { key: toKey(row), plan: row.plan, disabled: row.disabled === 1 };
}

function toKey(row: Selectable<ApiKeyRow>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    limitId: row.limit_id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    operations: parseList(row.operations),
    clientCidrs: parseList(row.client_cidrs),
    createdAtMs: row.created_at,
    lastUsedAtMs: row.last_used_at,
    expiresAtMs: row.expires_at,
    revokedAtMs: row.revoked_at,
    rotatedTo: row.rotated_to,
  };
}

function toRow(key: ApiKey, secretHash: string): ApiKeyRow {
  return {
    id: key.id,
    account_id: key.accountId,
    limit_id: key.limitId,
    secret_hash: secretHash,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    operations: formatList(key.operations),
    client_cidrs: formatList(key.clientCidrs),
    created_at: key.createdAtMs,
    last_used_at: key.lastUsedAtMs,
    expires_at: key.expiresAtMs,
    revoked_at: key.revokedAtMs,
    rotated_to: key.rotatedTo,
  };
}

function parseList(text: string | null): readonly string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}

function formatList(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}
