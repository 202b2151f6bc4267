/** Accounts, keys and plans as JSON for the dashboard: snake_case, times in ISO 8601. */
import { getKeyStatus, type Account, type ApiKey, type Plan } from '#accounts';
import { computeShares, type ShareCapacities } from '#limits';
import { type Static, Type } from 'typebox';
import { nullable, strict } from '../schema.ts';
import { MAX_PDF_BODY_BYTES } from '../v1/pdf-body.ts';

export const accountJson = strict({
  id: Type.String(),
  email: Type.String(),
  email_verified: Type.Boolean(),
  plan: Type.String(),
  admin: Type.Boolean(),
  disabled: Type.Boolean(),
  /** When the keys were disabled, because the address was never verified; null if they work. */
  keys_disabled_at: nullable('string'),
  created_at: Type.String(),
});

export function toAccountJson(account: Account): Static<typeof accountJson> {
  return {
    id: account.id,
    email: account.email,
    email_verified: account.emailVerified,
    plan: account.plan,
    admin: account.admin,
    disabled: account.disabled,
    keys_disabled_at: formatTimeOrNull(account.keysDisabledAtMs),
    created_at: formatTime(account.createdAtMs),
  };
}

const names = Type.Unsafe<readonly string[] | null>({
  anyOf: [Type.Array(Type.String()), Type.Null()],
});

export const keyJson = strict({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  last_four: Type.String(),
  created_at: Type.String(),
  last_used_at: nullable('string'),
  expires_at: nullable('string'),
  revoked_at: nullable('string'),
  status: Type.Enum(['active', 'expiring', 'expired', 'revoked']),
  operations: names,
  client_cidrs: names,
  rotated_to: nullable('string'),
});

export function toKeyJson(key: ApiKey, nowMs: number): Static<typeof keyJson> {
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

export const planJson = strict({
  limit_per_minute: Type.Integer(),
  /** Units per calendar month and account; null if they are not limited. */
  monthly_quota: nullable('integer'),
  shares: strict({
    browser_slots: Type.Integer(),
    other_requests: Type.Integer(),
    page_connections: Type.Integer(),
    body_megabytes: Type.Integer(),
  }),
});

/** Formats a plan: the limit of each key, and what an account may use at a time in each process. */
export function toPlanJson(
  plan: Plan,
  capacities: ShareCapacities,
  { unproven }: Pick<Account, 'unproven'> = { unproven: false },
): Static<typeof planJson> {
  const shares = computeShares(plan, capacities, MAX_PDF_BODY_BYTES);
  return {
    limit_per_minute: plan.limitPerMinute,
    monthly_quota: plan.monthlyQuota ?? null,
    shares: {
      browser_slots: unproven ? 1 : shares.browserPages,
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
