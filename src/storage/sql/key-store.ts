import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  type Kysely,
  PostgresAdapter,
  type Selectable,
  type SqlBool,
  type Transaction,
  sql,
} from 'kysely';
import type { ApiKey, ApiKeyChanges, KeyGrant, KeyInsertion, KeyStore, NewApiKey } from '#accounts';
import { toProof } from './account-row.ts';
import type { ApiKeyRow, Schema } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** Converts a row of `api_keys`. */
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

/** Converts a key to a row of `api_keys`. */
function toKeyRow(key: ApiKey, secretHash: string): ApiKeyRow {
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

/** Formats a list for its column; null stays null. */
function formatList(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

/** Builds the condition that a key is neither revoked nor expired; keys in a grace period are live. */
export function isLive(
  nowMs: number,
): (eb: ExpressionBuilder<Schema, 'api_keys'>) => ExpressionWrapper<Schema, 'api_keys', SqlBool> {
  return (eb) =>
    eb.and([
      eb('api_keys.revoked_at', 'is', null),
      eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', nowMs)]),
    ]);
}

/** Counts the account's live keys. */
async function countLiveKeys(db: Kysely<Schema>, accountId: string, nowMs: number): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where(isLive(nowMs))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The channel on which PostgreSQL delivers the ids of accounts whose keys have changed. */
export const KEY_CHANNEL = 'utility_api_keys';

/**
 * Increments the revision of keys and accounts, in the transaction of the change. Other processes watch it.
 * PostgreSQL also notifies them when the transaction commits.
 */
export async function recordKeyChange(db: Kysely<Schema>, accountId: string): Promise<void> {
  await db
    .updateTable('key_changes')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', 1)
    .execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    await sql`select pg_notify(${KEY_CHANNEL}, ${accountId})`.execute(db);
}

/** Returns the revision of keys and accounts. */
export async function loadKeyRevision(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('key_changes')
    .select('revision')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  return row.revision;
}

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
      .select(['plan', 'disabled', 'self_made', 'email_verified', 'keys_disabled_at']);
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

type GrantRow = Selectable<ApiKeyRow> & { plan: string; disabled: number } & Parameters<typeof toProof>[0];

function toGrant(row: GrantRow): KeyGrant {
  const { unproven, keysDisabledAtMs } = toProof(row);
  const disabled = row.disabled === 1 || keysDisabledAtMs !== null;
  return { key: toKey(row), plan: row.plan, disabled, unproven };
}

/** Stores a key within the limit of live keys; a rotation may end other keys (see `KeyStore.insertKey`). */
async function insertKey(trx: Transaction<Schema>, request: NewApiKey): Promise<KeyInsertion> {
  const { key, secretHash, maxLiveKeys, replaces, sessionId } = request;
  // Written before the count: this locks the account's row, so that concurrent creations run one by one.
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ updated_at: key.createdAtMs })
    .where('id', '=', key.accountId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return { outcome: 'no_account' };
  // A password reset may have ended the session after the request was authenticated.
  if (sessionId !== undefined && !(await hasSession(trx, key.accountId, sessionId)))
    return { outcome: 'signed_out' };
  const liveKeys = await countLiveKeys(trx, key.accountId, key.createdAtMs);
  const rotation = replaces ? await endReplacedKey(trx, request, replaces, liveKeys) : null;
  if (replaces && !rotation) return { outcome: 'not_live' };
  if (!replaces && liveKeys >= maxLiveKeys) return { outcome: 'too_many' };
  await trx.insertInto('api_keys').values(toKeyRow(key, secretHash)).execute();
  await recordKeyChange(trx, key.accountId);
  return { outcome: 'inserted', replaced: rotation?.replaced ?? null, ended: rotation?.ended ?? [] };
}

async function hasSession(trx: Transaction<Schema>, accountId: string, sessionId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the replaced key, now or after its grace period. Returns null, and changes nothing, if it cannot. */
async function endReplacedKey(
  trx: Transaction<Schema>,
  { key, maxLiveKeys }: NewApiKey,
  { keyId, endsAtMs }: NonNullable<NewApiKey['replaces']>,
  liveKeys: number,
): Promise<{ replaced: ApiKey; ended: ApiKey[] } | null> {
  const nowMs = key.createdAtMs;
  const row = await trx
    .updateTable('api_keys')
    .set({ rotated_to: key.id })
    .where('id', '=', keyId)
    .where('account_id', '=', key.accountId)
    .where('rotated_to', 'is', null)
    .where(isLive(nowMs))
    .returning('id')
    .executeTakeFirst();
  if (!row) return null;
  const excess = liveKeys + (endsAtMs > nowMs ? 1 : 0) - maxLiveKeys;
  const ended = excess > 0 ? await endOldestGracePeriods(trx, key, keyId, excess) : [];
  const isGraceGranted = endsAtMs > nowMs && ended.length >= excess;
  const replaced = await trx
    .updateTable('api_keys')
    .set(isGraceGranted ? { expires_at: endsAtMs } : { expires_at: nowMs, revoked_at: nowMs })
    .where('id', '=', keyId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { replaced: toKey(replaced), ended };
}

/** Ends up to `count` grace periods, the oldest first. A period starts when the replacing key is created. */
async function endOldestGracePeriods(
  trx: Transaction<Schema>,
  { accountId, createdAtMs: nowMs }: ApiKey,
  exceptId: string,
  count: number,
): Promise<ApiKey[]> {
  const oldest = await trx
    .selectFrom('api_keys')
    .innerJoin('api_keys as replacing', 'replacing.id', 'api_keys.rotated_to')
    .select('api_keys.id')
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.id', '<>', exceptId)
    .where(isLive(nowMs))
    .orderBy('replacing.created_at')
    .orderBy('api_keys.expires_at')
    .orderBy('api_keys.id')
    .limit(count)
    .execute();
  const ended: ApiKey[] = [];
  for (const { id } of oldest) {
    const row = await trx
      .updateTable('api_keys')
      .set({ revoked_at: nowMs })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    ended.push(toKey(row));
  }
  return ended;
}
