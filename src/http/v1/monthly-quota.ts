/** The monthly quota of a caller's plan, as admission applies it. */
import type { Caller } from '#accounts';
import { ApiError } from '#errors';
import type { MonthlyQuotas, QuotaDecision } from '#limits';

export interface QuotaDeps {
  /** Absent if no plan has a quota. */
  quotas?: Pick<MonthlyQuotas, 'consume' | 'release'> | undefined;
  now: () => number;
}

/** The words of a 429 of a request that needs several units. */
export interface UnitWording {
  /** Begins a sentence that goes on with the number of units. */
  subject: string;
  advice: string;
}

export const BATCH_WORDING: UnitWording = { subject: 'The batch needs', advice: 'send fewer items' };

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
  { subject, advice } = BATCH_WORDING,
): ApiError {
  const reset = `${new Date(resetsAtMs).toISOString().slice(0, 10)}, 00:00 UTC`;
  const message =
    remaining > 0 && cost > remaining
      ? `${subject} ${cost} requests of the monthly quota of the account, and ${remaining} of ${quota} are left until it resets on ${reset}: ${advice}, or ask the operator for a larger plan.`
      : `The monthly quota of the account, ${quota} requests, is used up. It resets on ${reset}: wait for the number of seconds in Retry-After, or ask the operator for a larger plan.`;
  return new ApiError('rate_limit_exceeded', message, { retryAfterSeconds });
}
