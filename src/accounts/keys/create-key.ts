import { ApiError } from '#errors';
import { createRandomText } from '../random-text.ts';
import {
  isLiveKey,
  type ApiKey,
  type InsertedKey,
  type KeyRefusal,
  type KeyStore,
  type NewApiKey,
} from './api-key.ts';
import { parseClientCidrs, parseKeyName, parseOperations } from './key-fields.ts';
import { createKeySecret, hashKeySecret } from './key-secret.ts';

/** The most live keys of one account. Keys in a rotation's grace period count: they work like any other. */
export const MAX_LIVE_KEYS = 20;
const MAX_GRACE_DAYS = 7;
const DAY_MS = 86_400_000;

/** A key and its secret, which is shown only now. */
export interface CreatedKey {
  key: ApiKey;
  secret: string;
}

/** The key that replaces another, and the keys that the rotation ended. */
export interface RotatedKey extends CreatedKey {
  /** The rotated key after the rotation. */
  old: ApiKey;
  /** Other keys whose grace period ended early, the oldest grace period first. */
  ended: readonly ApiKey[];
}

export interface NewKeyRequest {
  accountId: string;
  /** The session that requests the key. If it ends before the key is stored, no key is created. */
  sessionId?: string | undefined;
  name: string;
  expiresAtMs?: number | null | undefined;
  operations?: readonly string[] | null | undefined;
  clientCidrs?: readonly string[] | null | undefined;
}

/**
 * Creates a key. Throws `invalid_parameter` if a field is wrong or the account has 20 live keys, `not_found`
 * if the account does not exist, `unauthorized` if the session has ended.
 */
export async function createKey(store: KeyStore, request: NewKeyRequest, nowMs: number): Promise<CreatedKey> {
  const expiresAtMs = request.expiresAtMs ?? null;
  if (expiresAtMs !== null && !(expiresAtMs > nowMs))
    throw new ApiError('invalid_parameter', 'expires_at must be a time in the future.', {
      param: 'expires_at',
    });
  const id = `key_${createRandomText(16)}`;
  const draft = {
    id,
    accountId: request.accountId,
    limitId: id,
    name: parseKeyName(request.name),
    operations: parseOperations(request.operations ?? null),
    clientCidrs: parseClientCidrs(request.clientCidrs ?? null),
    createdAtMs: nowMs,
    expiresAtMs,
  };
  const { key, secret } = await insertKey(store, draft, { sessionId: request.sessionId });
  return { key, secret };
}

/**
 * Replaces a key by a new one with the same name, restrictions and limit. The old key works for `graceDays`
 * more (0–7; 0 ends it at once), but never past its own expiry. If the account would have more than 20 live
 * keys, the oldest grace period ends early; if no other key is in one, the old key ends at once. Throws
 * `invalid_parameter` if the key is not live or was already rotated, `unauthorized` if the session has ended.
 */
export async function rotateKey(
  store: KeyStore,
  old: ApiKey,
  graceDays: number,
  nowMs: number,
  sessionId?: string,
): Promise<RotatedKey> {
  if (!Number.isInteger(graceDays) || graceDays < 0 || graceDays > MAX_GRACE_DAYS)
    throw new ApiError('invalid_parameter', 'grace_days must be a whole number from 0 to 7.', {
      param: 'grace_days',
    });
  if (!isLiveKey(old, nowMs) || old.rotatedTo !== null) throw notRotatable();
  const { accountId, limitId, name, operations, clientCidrs, expiresAtMs } = old;
  const id = `key_${createRandomText(16)}`;
  const endsAtMs = Math.min(nowMs + graceDays * DAY_MS, expiresAtMs ?? Infinity);
  const { key, secret, replaced, ended } = await insertKey(
    store,
    { id, accountId, limitId, name, operations, clientCidrs, createdAtMs: nowMs, expiresAtMs },
    { replaces: { keyId: old.id, endsAtMs }, sessionId },
  );
  return { key, secret, old: replaced ?? old, ended };
}

type KeyDraft = Omit<ApiKey, 'prefix' | 'lastFour' | 'lastUsedAtMs' | 'revokedAtMs' | 'rotatedTo'>;

async function insertKey(
  store: KeyStore,
  draft: KeyDraft,
  conditions: Pick<NewApiKey, 'replaces' | 'sessionId'>,
): Promise<CreatedKey & Pick<InsertedKey, 'replaced' | 'ended'>> {
  const secret = createKeySecret();
  const key: ApiKey = {
    ...draft,
    prefix: secret.slice(0, 12),
    lastFour: secret.slice(-4),
    lastUsedAtMs: null,
    revokedAtMs: null,
    rotatedTo: null,
  };
  const insertion = await store.insertKey({
    key,
    secretHash: hashKeySecret(secret),
    maxLiveKeys: MAX_LIVE_KEYS,
    ...conditions,
  });
  if (insertion.outcome !== 'inserted') throw toApiError(insertion.outcome);
  return { key, secret, replaced: insertion.replaced, ended: insertion.ended };
}

function toApiError(refusal: KeyRefusal): ApiError {
  if (refusal === 'no_account') return new ApiError('not_found', 'There is no such account.');
  if (refusal === 'not_live') return notRotatable();
  if (refusal === 'signed_out') return new ApiError('unauthorized', 'Your session has ended: sign in again.');
  return new ApiError(
    'invalid_parameter',
    `An account can have ${MAX_LIVE_KEYS} keys, including rotated keys in their grace period: revoke one that you no longer use.`,
    { param: 'name' },
  );
}

function notRotatable(): ApiError {
  return new ApiError('invalid_parameter', 'Only a key that works and was not rotated yet can be rotated.', {
    param: 'id',
  });
}
