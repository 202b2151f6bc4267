import type { Selectable } from 'kysely';
import type { ApiKey } from '#accounts';
import type { ApiKeyRow } from './schema.ts';

/** Converts a row of `api_keys`. */
export function toKey(row: Selectable<ApiKeyRow>): ApiKey {
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
export function toKeyRow(key: ApiKey, secretHash: string): ApiKeyRow {
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
export function formatList(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}
