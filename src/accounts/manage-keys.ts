import { ApiError } from '#errors';
import {
  isLiveKey,
  OPERATIONS,
  type ApiKey,
  type ApiKeyChanges,
  type KeyInsertion,
  type KeyStore,
} from './api-key.ts';
import { parseClientCidr } from './client-networks.ts';
import { createKeySecret, hashKeySecret } from './key-secret.ts';
import { createRandomText } from './random-text.ts';

/** The most live keys of one account; those that were rotated out do not count. */
export const MAX_LIVE_KEYS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_CIDRS = 100;
const DAY_MS = 86_400_000;

/** A key and its secret, which is shown this once and cannot be had again. */
export interface CreatedKey {
  key: ApiKey;
  secret: string;
}

export interface NewKeyRequest {
  accountId: string;
  name: string;
  expiresAtMs?: number | null | undefined;
  operations?: readonly string[] | null | undefined;
  clientCidrs?: readonly string[] | null | undefined;
}

/** Creates a key. Throws `invalid_parameter` where a field is wrong or the account has 20 live keys, `not_found` where the account is gone. */
export async function createKey(store: KeyStore, request: NewKeyRequest, nowMs: number): Promise<CreatedKey> {
  const expiresAtMs = request.expiresAtMs ?? null;
  if (expiresAtMs !== null && !(expiresAtMs > nowMs))
    throw new ApiError('invalid_parameter', 'expires_at must be a time in the future.', {
      param: 'expires_at',
    });
  const id = `key_${createRandomText(16)}`;
  return insert(store, {
    id,
    accountId: request.accountId,
    limitId: id,
    name: checkKeyName(request.name),
    operations: checkOperations(request.operations ?? null),
    clientCidrs: checkClientCidrs(request.clientCidrs ?? null),
    createdAtMs: nowMs,
    expiresAtMs,
  });
}

/**
 * Replaces a key by a new one with the same name, restrictions and limit. The old one works for `graceDays` more (0–7; 0 ends it at once),
 * never longer than it would have. Throws `invalid_parameter` where the key no longer works or was rotated already.
 */
export async function rotateKey(
  store: KeyStore,
  old: ApiKey,
  graceDays: number,
  nowMs: number,
): Promise<CreatedKey> {
  if (!Number.isInteger(graceDays) || graceDays < 0 || graceDays > 7)
    throw new ApiError('invalid_parameter', 'grace_days must be a whole number from 0 to 7.', {
      param: 'grace_days',
    });
  if (!isLiveKey(old, nowMs) || old.rotatedTo !== null) throw notRotatable();
  const { accountId, limitId, name, operations, clientCidrs, expiresAtMs } = old;
  const id = `key_${createRandomText(16)}`;
  return insert(
    store,
    { id, accountId, limitId, name, operations, clientCidrs, createdAtMs: nowMs, expiresAtMs },
    { keyId: old.id, endsAtMs: Math.min(nowMs + graceDays * DAY_MS, expiresAtMs ?? Infinity) },
  );
}

/** The checked changes of a key's name and restrictions. Throws `invalid_parameter`. */
export function checkKeyChanges(changes: ApiKeyChanges): ApiKeyChanges {
  const { name, operations, clientCidrs } = changes;
  return {
    ...(name !== undefined && { name: checkKeyName(name) }),
    ...(operations !== undefined && { operations: checkOperations(operations) }),
    ...(clientCidrs !== undefined && { clientCidrs: checkClientCidrs(clientCidrs) }),
  };
}

type KeyDraft = Omit<ApiKey, 'prefix' | 'lastFour' | 'lastUsedAtMs' | 'revokedAtMs' | 'rotatedTo'>;

async function insert(
  store: KeyStore,
  draft: KeyDraft,
  replaces?: { keyId: string; endsAtMs: number },
): Promise<CreatedKey> {
  const secret = createKeySecret();
  const key: ApiKey = {
    ...draft,
    prefix: secret.slice(0, 12),
    lastFour: secret.slice(-4),
    lastUsedAtMs: null,
    revokedAtMs: null,
    rotatedTo: null,
  };
  const outcome = await store.insertKey({
    key,
    secretHash: hashKeySecret(secret),
    maxLiveKeys: MAX_LIVE_KEYS,
    ...(replaces && { replaces }),
  });
  if (outcome !== 'inserted') throw toRefusal(outcome);
  return { key, secret };
}

function toRefusal(outcome: Exclude<KeyInsertion, 'inserted'>): ApiError {
  if (outcome === 'no_account') return new ApiError('not_found', 'There is no such account.');
  if (outcome === 'not_live') return notRotatable();
  return new ApiError(
    'invalid_parameter',
    `An account can have ${MAX_LIVE_KEYS} keys that work: revoke one that is no longer used.`,
    { param: 'name' },
  );
}

function notRotatable(): ApiError {
  return new ApiError('invalid_parameter', 'Only a key that works and was not rotated yet can be rotated.', {
    param: 'id',
  });
}

function checkKeyName(text: string): string {
  const name = text.trim().replaceAll(/\s+/gu, ' ');
  if (
    name === '' ||
    name.length > MAX_NAME_LENGTH ||
    /[\p{Cc}\p{Cf}\p{Cs}]/u.test(name.replaceAll('\u200D', ''))
  )
    throw new ApiError(
      'invalid_parameter',
      `name must be text of 1 to ${MAX_NAME_LENGTH} characters, without control characters.`,
      { param: 'name' },
    );
  return name;
}

function checkOperations(operations: readonly string[] | null): readonly string[] | null {
  if (operations === null) return null;
  const known = OPERATIONS.filter((operation) => operations.includes(operation));
  if (known.length === 0 || operations.some((operation) => !known.includes(operation as never)))
    throw new ApiError(
      'invalid_parameter',
      `operations must be null for all, or a list of one or more of ${OPERATIONS.join(', ')}.`,
      { param: 'operations' },
    );
  return known.length === OPERATIONS.length ? null : known;
}

function checkClientCidrs(cidrs: readonly string[] | null): readonly string[] | null {
  if (cidrs === null) return null;
  const ranges = cidrs.map(parseClientCidr);
  if (ranges.length === 0 || ranges.length > MAX_CIDRS || ranges.includes(null))
    throw new ApiError(
      'invalid_parameter',
      `client_cidrs must be null for all, or a list of up to ${MAX_CIDRS} ranges like 203.0.113.0/24 or 2001:db8::/32.`,
      { param: 'client_cidrs' },
    );
  return [...new Set(ranges as string[])];
}
