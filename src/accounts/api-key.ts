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
  /** The most keys that the account may have that are live and not rotated out. */
  maxLiveKeys: number;
  replaces?: { keyId: string; endsAtMs: number };
}

/** Why a key was not stored: the account has too many, is gone, or the key to replace is no longer live. */
export type KeyInsertion = 'inserted' | 'too_many' | 'no_account' | 'not_live';

/** Keeps API keys. Every method throws ApiError `unavailable` where the database cannot answer. */
export interface KeyStore {
  findKeyBySecretHash(secretHash: string): Promise<KeyGrant | null>;
  findKey(id: string): Promise<KeyGrant | null>;
  /** All or nothing, and exact under concurrency: of many at once no more than `maxLiveKeys` are stored. */
  insertKey(request: NewApiKey): Promise<KeyInsertion>;
  /** Newest first; those of one account, or all. */
  listKeys(accountId: string | null): Promise<ApiKey[]>;
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
