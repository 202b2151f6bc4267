import type { Transaction } from 'kysely';
import type { ApiKey, KeyInsertion, NewApiKey } from '#accounts';
import { recordKeyChange } from './key-changes.ts';
import { toKey, toKeyRow } from './key-row.ts';
import { countLiveKeys, isLive } from './live-keys.ts';
import type { Schema } from './schema.ts';

/** Stores a key within the limit of live keys; a rotation may end other keys (see `KeyStore.insertKey`). */
export async function insertKey(trx: Transaction<Schema>, request: NewApiKey): Promise<KeyInsertion> {
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
