import { ApiError } from '#errors';
import {
  isLiveKey,
  OPERATIONS,
  type ApiKey,
  type ApiKeyChanges,
  type InsertedKey,
  type KeyRefusal,
  type KeyStore,
  type NewApiKey,
} from './api-key.ts';
import { parseClientCidr } from './client-networks.ts';
import { createKeySecret, hashKeySecret } from './key-secret.ts';
import { createRandomText } from './random-text.ts';

/** The most live keys of one account. Keys in a rotation's grace period count: they work like any other. */
export const MAX_LIVE_KEYS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_CIDRS = 100;
const DAY_MS = 86_400_000;

/** A key and its secret, which is shown this once and cannot be had again. */
export interface CreatedKey {
  key: ApiKey;
  secret: string;
}

/** The key that replaces another, and what the rotation ended. */
export interface RotatedKey extends CreatedKey {
  /** The key that was rotated, as it is now. */
  old: ApiKey;
  /** Other keys whose grace period ended early, the oldest grace period first. */
  ended: readonly ApiKey[];
}

export interface NewKeyRequest {
  accountId: string;
  /** The session that asks for the key. If it ends before the key is stored, there is no key. */
  sessionId?: string | undefined;
  name: string;
  expiresAtMs?: number | null | undefined;
  operations?: readonly string[] | null | undefined;
  clientCidrs?: readonly string[] | null | undefined;
}

/**
 * Creates a key. Throws `invalid_parameter` if a field is wrong or the account has 20 live keys, `not_found`
 * if the account is gone, `unauthorized` if the session has ended.
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
    name: checkKeyName(request.name),
    operations: checkOperations(request.operations ?? null),
    clientCidrs: checkClientCidrs(request.clientCidrs ?? null),
    createdAtMs: nowMs,
    expiresAtMs,
  };
  const { key, secret } = await insert(store, draft, { sessionId: request.sessionId });
  return { key, secret };
}

/**
 * Replaces a key by a new one with the same name, restrictions and limit. The old one works for `graceDays`
 * more (0–7; 0 ends it at once), never longer than it would have. If the account would have more than 20 live
 * keys, the oldest grace period ends early; if no other key is in one, the old key ends at once. Throws
 * `invalid_parameter` if the key no longer works or was rotated already, `unauthorized` if the session has
 * ended.
 */
export async function rotateKey(
  store: KeyStore,
  old: ApiKey,
  graceDays: number,
  nowMs: number,
  sessionId?: string,
): Promise<RotatedKey> {
  if (!Number.isInteger(graceDays) || graceDays < 0 || graceDays > 7)
    throw new ApiError('invalid_parameter', 'grace_days must be a whole number from 0 to 7.', {
      param: 'grace_days',
    });
  if (!isLiveKey(old, nowMs) || old.rotatedTo !== null) throw notRotatable();
  const { accountId, limitId, name, operations, clientCidrs, expiresAtMs } = old;
  const id = `key_${createRandomText(16)}`;
  const endsAtMs = Math.min(nowMs + graceDays * DAY_MS, expiresAtMs ?? Infinity);
  const { key, secret, replaced, ended } = await insert(
    store,
    { id, accountId, limitId, name, operations, clientCidrs, createdAtMs: nowMs, expiresAtMs },
    { replaces: { keyId: old.id, endsAtMs }, sessionId },
  );
  return { key, secret, old: replaced ?? old, ended };
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
  if (insertion.outcome !== 'inserted') throw toRefusal(insertion.outcome);
  return { key, secret, replaced: insertion.replaced, ended: insertion.ended };
}

function toRefusal(outcome: KeyRefusal): ApiError {
  if (outcome === 'no_account') return new ApiError('not_found', 'There is no such account.');
  if (outcome === 'not_live') return notRotatable();
  if (outcome === 'signed_out') return new ApiError('unauthorized', 'Your session has ended: sign in again.');
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
