/**
 * The secret of an API key: `ua_live_`, 32 random base62 characters (190 bits), their CRC-32 in 6 base62
 * characters. The checksum refuses malformed keys without a query; secret scanners find leaked keys by
 * `ua_live_[0-9A-Za-z]{38}`.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BlockList, isIP } from 'node:net';
import { createRandomText, formatBase62 } from '../random-text.ts';

const PREFIX = 'ua_live_';
const SHAPE = /^ua_live_[0-9A-Za-z]{38}$/;
const CHECKED_LENGTH = PREFIX.length + 32;

/** Returns a new random secret. */
export function createKeySecret(): string {
  const checked = PREFIX + createRandomText(32);
  return checked + formatBase62(crc32(checked), 6);
}

/** Returns whether the text has the shape and the checksum of a secret. */
export function isKeySecret(text: string): boolean {
  return (
    text.length === CHECKED_LENGTH + 6 &&
    SHAPE.test(text) &&
    text.endsWith(formatBase62(crc32(text.slice(0, CHECKED_LENGTH)), 6))
  );
}

/** Returns the SHA-256 of the secret in base64url. At 190 bits of entropy no slow hash is needed. */
export function hashKeySecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** The networks that a key may be used from. */
export class ClientNetworks {
  readonly #cidrs: readonly string[];
  #blockList: BlockList | null = null;

  constructor(cidrs: readonly string[]) {
    this.#cidrs = cidrs;
  }

  /** Returns whether a network contains the client's address. An IPv4-mapped IPv6 address counts as IPv4. */
  contains(address: string): boolean {
    // Some proxies add the port in X-Forwarded-For.
    const [, v4, v6] = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/.exec(address) ?? [];
    const bare = v4 ?? v6 ?? address;
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
    const family = isIP(plain);
    if (family === 0) return false;
    this.#blockList ??= createBlockList(this.#cidrs);
    return this.#blockList.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  }
}

function createBlockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix = ''] = cidr.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/**
 * Parses a range to `address/prefix`; an address alone is a range of one. Returns null for any other text.
 */
export function parseClientCidr(text: string): string | null {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || rest.length > 0 || address.includes('%')) return null;
  if (prefix === undefined) return `${address}/${bits}`;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? `${address}/${Number(prefix)}` : null;
}

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
  /** True if the account or its keys are disabled. */
  disabled: boolean;
  /** See `Account`. */
  unproven: boolean;
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
   * first; if that is not enough, the replaced key ends immediately.
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

type KeyStatus = 'active' | 'expiring' | 'expired' | 'revoked';

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

/** The authenticated key and its permissions. One object per key while it is cached. */
export interface Caller {
  keyId: string;
  accountId: string;
  /** The id that the rate limit counts by. */
  limitId: string;
  plan: string;
  limitPerMinute: number;
  /**
   * Browser pages that the account's plan allows at a time; null if `shares/` derives them from the machine.
   */
  slots: number | null;
  /** The weight of the plan; see `Plan`. */
  weight?: number | undefined;
  /** True if the account is unproven; see `Account`. */
  isUnproven?: boolean | undefined;
  /** Units per calendar month of the account's plan; undefined if they are not limited. */
  monthlyQuota?: number | undefined;
  operations: readonly string[] | null;
  /** Null if the key may be used from all networks. */
  clientNetworks: ClientNetworks | null;
}
