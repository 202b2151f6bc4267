/** The monthly quota of a caller's plan, as admission applies it. */
import type { Caller } from '#accounts';
import { ApiError } from '#errors';
import type { MonthlyQuotas, QuotaDecision } from '#quotas';

export interface QuotaDeps {
  /** Absent if no plan has a quota. */
  quotas?: Pick<MonthlyQuotas, 'consume' | 'release'> | undefined;
  now: () => number;
}

/** Counts units of the caller's account; null if its plan has no quota. */
export function consumeQuota(
  { quotas, now }: QuotaDeps,
  { accountId, monthlyQuota }: Caller,
  cost: number,
): QuotaDecision | null | Promise<QuotaDecision> {
  if (quotas === undefined || monthlyQuota === undefined) return null;
  return quotas.consume(accountId, monthlyQuota, cost, now());
}

/** Takes back units of a request that the rate limit refused. */
export function releaseQuota({ quotas }: QuotaDeps, caller: Caller, cost: number): void {
  if (cost > 0 && caller.monthlyQuota !== undefined) quotas?.release(caller.accountId, cost);
}

/** Returns the 429 of a request over the quota. */
export function quotaExceeded(
  { quota, remaining, resetsAtMs, retryAfterSeconds }: QuotaDecision,
  cost: number,
): ApiError {
  const reset = `${new Date(resetsAtMs).toISOString().slice(0, 10)}, 00:00 UTC`;
  const message =
    remaining > 0 && cost > remaining
      ? `The batch needs ${cost} requests of the monthly quota of the account, and ${remaining} of ${quota} are left until it resets on ${reset}: send fewer items, or ask the operator for a larger plan.`
      : `The monthly quota of the account, ${quota} requests, is used up. It resets on ${reset}: wait for the number of seconds in Retry-After, or ask the operator for a larger plan.`;
  return new ApiError('rate_limit_exceeded', message, { retryAfterSeconds });
}
