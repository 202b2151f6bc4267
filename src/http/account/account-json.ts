/** Accounts and keys as the dashboard reads them: snake_case, times in ISO 8601. What is not named here is never told. */
import { readKeyStatus, type Account, type ApiKey } from '#accounts';

export function toAccountJson(account: Account) {
  return {
    id: account.id,
    email: account.email,
    email_verified: account.emailVerified,
    plan: account.plan,
    admin: account.admin,
    created_at: formatTime(account.createdAtMs),
  };
}

export function toKeyJson(key: ApiKey, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: formatTime(key.createdAtMs),
    last_used_at: formatTimeOrNull(key.lastUsedAtMs),
    expires_at: formatTimeOrNull(key.expiresAtMs),
    revoked_at: formatTimeOrNull(key.revokedAtMs),
    status: readKeyStatus(key, nowMs),
    operations: key.operations,
    client_cidrs: key.clientCidrs,
    rotated_to: key.rotatedTo,
  };
}

export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function formatTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms);
}
