/** Parses the fields of a key that people fill in: name, operations, client ranges, times. */
import { ApiError } from '#errors';
import {
  type ApiKey,
  type ApiKeyChanges,
  type InsertedKey,
  type KeyRefusal,
  type KeyStore,
  type NewApiKey,
  OPERATIONS,
  createKeySecret,
  hashKeySecret,
  isLiveKey,
  parseClientCidr,
} from './api-key.ts';
import { createRandomText } from '../random-text.ts';

const MAX_NAME_LENGTH = 100;
const MAX_CIDRS = 100;
const ISO_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Returns the changes in normal form. Throws `invalid_parameter` if a field is wrong. */
export function parseKeyChanges(changes: ApiKeyChanges): ApiKeyChanges {
  const { name, operations, clientCidrs } = changes;
  return {
    ...(name !== undefined && { name: parseKeyName(name) }),
    ...(operations !== undefined && { operations: parseOperations(operations) }),
    ...(clientCidrs !== undefined && { clientCidrs: parseClientCidrs(clientCidrs) }),
  };
}

/** Returns the name with runs of white space made one blank. Throws `invalid_parameter`. */
function parseKeyName(text: string): string {
  const name = text.trim().replaceAll(/\s+/gu, ' ');
  // U+200D joins the parts of an emoji; all other format characters are invisible.
  const visible = name.replaceAll('\u200D', '');
  if (name === '' || name.length > MAX_NAME_LENGTH || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(visible))
    throw new ApiError(
      'invalid_parameter',
      `name must be text of 1 to ${MAX_NAME_LENGTH} characters, without control characters.`,
      { param: 'name' },
    );
  return name;
}

/** Returns the operations in their usual order, null for all of them. Throws `invalid_parameter`. */
export function parseOperations(operations: readonly string[] | null): readonly string[] | null {
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

/** Returns the ranges as `address/prefix`, each one time. Throws `invalid_parameter`. */
export function parseClientCidrs(cidrs: readonly string[] | null): readonly string[] | null {
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

/**
 * Parses an ISO 8601 time with a zone, or a day (its midnight in UTC), to milliseconds since the epoch.
 * Returns null for any other text and for days that do not exist.
 */
export function parseIsoTime(text: string): number | null {
  const [, year, month, day] = ISO_TIME.exec(text) ?? [];
  if (day === undefined) return null;
  // Date.parse reads 30 February as 2 March.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day))
    return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

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

interface NewKeyRequest {
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
 * more (0–7; 0 ends it immediately), but never past its own expiry. If the account would have more than 20
 * live keys, the oldest grace period ends early; if no other key is in one, the old key ends immediately.
 * Throws `invalid_parameter` if the key is not live or was already rotated, `unauthorized` if the session has
 * ended.
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
