/**
 * Accounts, keys and plans as JSON for the dashboard: snake_case, times in ISO 8601. Members not listed here
 * are never sent.
 */
import { getKeyStatus, type Account, type ApiKey, type Plan } from '#accounts';
import { computeShares, type ShareCapacities } from '#shares';
import { MAX_PDF_BODY_BYTES } from '../v1/pdf-body.ts';

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
    status: getKeyStatus(key, nowMs),
    operations: key.operations,
    client_cidrs: key.clientCidrs,
    rotated_to: key.rotatedTo,
  };
}

/** Formats a plan: the limit of each key, and what an account may use at once in each process. */
export function toPlanJson(plan: Plan, capacities: ShareCapacities) {
  const shares = computeShares(plan, capacities, MAX_PDF_BODY_BYTES);
  return {
    limit_per_minute: plan.limitPerMinute,
    shares: {
      browser_slots: shares.browserPages,
      other_requests: shares.otherRequests,
      page_connections: shares.pageConnections,
      body_megabytes: Math.floor(shares.bodyBytes / 1_000_000),
    },
  };
}

export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function formatTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms);
}
