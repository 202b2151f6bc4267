/** The operationIds that a key can be restricted to. */
export const OPERATIONS = ['validateEmail', 'getMetadata', 'generatePdf'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** An API key without its secret, of which only a SHA-256 digest is stored. */
export interface ApiKey {
  id: string;
  accountId: string;
  /** The id that the rate limit counts by; a key shares it with the keys that replace it by rotation. */
  limitId: string;
  name: string;
  /** The first 12 characters of the secret, for display. */
  prefix: string;
  lastFour: string;
  /** The operations that the key may call; null for all. */
  operations: readonly string[] | null;
  /** The client addresses that may use the key, as `address/prefix`; null for all. */
  clientCidrs: readonly string[] | null;
  createdAtMs: number;
  lastUsedAtMs: number | null;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  /** The key that replaced this one. */
  rotatedTo: string | null;
}

/** A key with the plan and the state of its account. */
export interface KeyGrant {
  key: ApiKey;
  plan: string;
  disabled: boolean;
}

/**
 * The watch of a storage over changes of keys by other processes. While it lasts, it reports each change, and
 * a row that was loaded during the watch is valid until a change is reported.
 */
export interface KeyWatch {
  /** All changes before this time have been reported. 0 if the storage cannot know. */
  confirmedAtMs: number;
  /** True if the watch was interrupted: changes since `confirmedAtMs` may not have been reported. */
  isEnded: boolean;
}

export type ApiKeyChanges = Partial<Pick<ApiKey, 'name' | 'operations' | 'clientCidrs'>>;

/**
 * A key to store. With `replaces` it is the rotation of another key, which then ends at `endsAtMs` and refers
 * to the new one.
 */
export interface NewApiKey {
  key: ApiKey;
  secretHash: string;
  /** The most live keys that the account may then have, including those in a rotation's grace period. */
  maxLiveKeys: number;
  replaces?: { keyId: string; endsAtMs: number } | undefined;
  /** The session that requests the key. If it has ended, nothing is stored. */
  sessionId?: string | undefined;
}

/** The result of a stored key: the keys that its storing changed. */
export interface InsertedKey {
  outcome: 'inserted';
  /** The replaced key after the change; null if the key replaces none. */
  replaced: ApiKey | null;
  /** Other keys whose grace period ended early to stay within `maxLiveKeys`, the oldest period first. */
  ended: readonly ApiKey[];
}

/**
 * Why a key was not stored: too many live keys, no such account, the key to replace is not live, or the
 * session has ended.
 */
export type KeyRefusal = 'too_many' | 'no_account' | 'not_live' | 'signed_out';
export type KeyInsertion = InsertedKey | { outcome: KeyRefusal };

/** Stores API keys. All methods throw ApiError `unavailable` if the database fails. */
export interface KeyStore {
  findKeyBySecretHash(secretHash: string): Promise<KeyGrant | null>;
  findKey(id: string): Promise<KeyGrant | null>;
  /**
   * Stores a key in one transaction: concurrent calls cannot exceed `maxLiveKeys` live keys of the account.
   * At the limit a new key is refused. A rotation at the limit ends other keys' grace periods, the oldest
   * first; if that is not enough, the replaced key ends at once.
   */
  insertKey(request: NewApiKey): Promise<KeyInsertion>;
  /** Returns the keys of one account, or of all accounts if null, newest first. */
  listKeys(accountId: string | null): Promise<ApiKey[]>;
  /** Counts the live keys, including those in a rotation's grace period. */
  countLiveKeys(accountId: string, nowMs: number): Promise<number>;
  updateKey(id: string, changes: ApiKeyChanges): Promise<ApiKey | null>;
  /** Returns false if the key was already revoked or does not exist. */
  revokeKey(id: string, nowMs: number): Promise<boolean>;
}

export type KeyStatus = 'active' | 'expiring' | 'expired' | 'revoked';

const EXPIRING_MS = 7 * 86_400_000;

/** Returns the status of the key. A key that expires within 7 days, or was rotated, is `expiring`. */
export function getKeyStatus(key: ApiKey, nowMs: number): KeyStatus {
  if (key.revokedAtMs !== null) return 'revoked';
  if (key.expiresAtMs === null) return 'active';
  if (key.expiresAtMs <= nowMs) return 'expired';
  return key.rotatedTo !== null || key.expiresAtMs - nowMs <= EXPIRING_MS ? 'expiring' : 'active';
}

/** Returns whether the key works: neither revoked nor expired. */
export function isLiveKey(key: ApiKey, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || key.expiresAtMs > nowMs);
}
