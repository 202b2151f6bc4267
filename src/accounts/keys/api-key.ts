/** The operations that a key can be restricted to, by their operationId. */
export const OPERATIONS = ['validateEmail', 'getMetadata', 'generatePdf'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** An API key without its secret, of which only a SHA-256 digest is stored. */
export interface ApiKey {
  id: string;
  accountId: string;
  /** What the rate limit counts by; a key and those that it was rotated to share it. */
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

/** A key with what its account contributes to a decision. */
export interface KeyGrant {
  key: ApiKey;
  plan: string;
  disabled: boolean;
}

export type ApiKeyChanges = Partial<Pick<ApiKey, 'name' | 'operations' | 'clientCidrs'>>;

/** A key to store. `replaces` makes it the rotation of another: that one then ends at `endsAtMs` and points at this one. */
export interface NewApiKey {
  key: ApiKey;
  secretHash: string;
  /**
   * The most live keys that the account may have afterwards, including those in a rotation's grace period.
   */
  maxLiveKeys: number;
  replaces?: { keyId: string; endsAtMs: number } | undefined;
  /** The session that asks for the key. If it has ended, nothing is stored. */
  sessionId?: string | undefined;
}

/** A key that was stored, and what that ended. */
export interface InsertedKey {
  outcome: 'inserted';
  /** The key that was replaced, as it is now; null if the key replaces none. */
  replaced: ApiKey | null;
  /**
   * Other keys whose grace period ended early to stay within `maxLiveKeys`, the oldest grace period first.
   */
  ended: readonly ApiKey[];
}

/**
 * Why a key was not stored: too many live keys, no such account, the key to replace is not live, or the
 * session has ended.
 */
export type KeyRefusal = 'too_many' | 'no_account' | 'not_live' | 'signed_out';
export type KeyInsertion = InsertedKey | { outcome: KeyRefusal };

/** Keeps API keys. Every method throws ApiError `unavailable` where the database cannot answer. */
export interface KeyStore {
  findKeyBySecretHash(secretHash: string): Promise<KeyGrant | null>;
  findKey(id: string): Promise<KeyGrant | null>;
  /**
   * Stores a key, all or nothing. Exact under concurrency: the account never has more than `maxLiveKeys` live
   * keys. A new key is refused at the limit. A rotation at the limit ends other keys' grace periods, the one
   * that began first before the others; if that is not enough, the replaced key ends at once.
   */
  insertKey(request: NewApiKey): Promise<KeyInsertion>;
  /** Newest first; those of one account, or all. */
  listKeys(accountId: string | null): Promise<ApiKey[]>;
  /** Includes keys in a rotation's grace period. */
  countLiveKeys(accountId: string, nowMs: number): Promise<number>;
  updateKey(id: string, changes: ApiKeyChanges): Promise<ApiKey | null>;
  /** False where it was revoked already or does not exist. */
  revokeKey(id: string, nowMs: number): Promise<boolean>;
}

export type KeyStatus = 'active' | 'expiring' | 'expired' | 'revoked';

/** A key that ends within 7 days, or was rotated out, is `expiring`. */
export function readKeyStatus(key: ApiKey, nowMs: number): KeyStatus {
  if (key.revokedAtMs !== null) return 'revoked';
  if (key.expiresAtMs === null) return 'active';
  if (key.expiresAtMs <= nowMs) return 'expired';
  return key.rotatedTo !== null || key.expiresAtMs - nowMs <= 7 * 86_400_000 ? 'expiring' : 'active';
}

/** Whether the key works: neither revoked nor expired. */
export function isLiveKey(key: ApiKey, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || key.expiresAtMs > nowMs);
}
