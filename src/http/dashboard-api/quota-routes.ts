/** The monthly quota of an account and how much of it is used. */
import { type Account, findPlan } from '#accounts';
import { computeQuotaMonth } from '#limits';
import { loadMonthUnits } from '#usage';
import { type Static, Type } from 'typebox';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { formatTime } from './account-json.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';

export const quotaJson = strict({
  /** The calendar month in UTC. */
  month_start: Type.String(),
  resets_at: Type.String(),
  /** Units of this month, as the rate limit counts them. */
  used: Type.Integer(),
  /** Null if the plan has no quota. */
  quota: nullable('integer'),
  remaining: nullable('integer'),
});

/** Adds the endpoint of the monthly quota. */
export function routeQuota(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/usage/quota', {
    schema: { response: { 200: quotaJson } },
    handler: (request) => loadQuota(deps, requireSession(request).account),
  });
}

/** Loads how much of its quota an account has used in this month. */
export async function loadQuota(
  { usage, plans, now }: Pick<AccountDeps, 'usage' | 'plans' | 'now'>,
  account: Account,
): Promise<Static<typeof quotaJson>> {
  const nowMs = now();
  const { startMs, endMs } = computeQuotaMonth(nowMs);
  const used = await loadMonthUnits(usage, account.id, nowMs);
  const quota = findPlan(plans, account.plan).monthlyQuota ?? null;
  return {
    month_start: formatTime(startMs),
    resets_at: formatTime(endMs),
    used,
    quota,
    remaining: quota === null ? null : Math.max(0, quota - used),
  };
}
