/**
 * The limits of callers: requests per clock minute, units per month, and fair shares of scarce resources.
 * Never refers to plans, keys or HTTP, and never reads the clock.
 */
// Windows of one minute, in memory or in a pool of units that replicas share.
export { createLeasedWindowCounter } from './rate/leased-window-counter.ts';
export type { LeasedWindowCounter } from './rate/leased-window-counter.ts';
export { createMemoryWindowCounter } from './rate/window-counter.ts';
export { ServerClock } from './rate/server-clock.ts';
export type { PoolListener, PoolReply, PoolRequest, UnitPool } from './rate/unit-pool.ts';
export { WINDOW_MS, describeWindow } from './rate/window-counter.ts';
export type { WindowCounter, WindowDecision } from './rate/window-counter.ts';

// Units per account and calendar month (UTC), counted in memory on top of the totals in the database, which
// all replicas add to.
export { createMonthlyQuotas } from './quotas/monthly-quotas.ts';
export type { MonthlyQuotas, MonthlyQuotasOptions, QuotaDecision } from './quotas/monthly-quotas.ts';
export { computeQuotaMonth } from './quotas/quota-store.ts';
export type { QuotaMonth } from './quotas/quota-store.ts';
export { formatQuotaMail } from './quotas/quota-store.ts';
export type { QuotaNotice, QuotaStore } from './quotas/quota-store.ts';

// Places granted by weighted fair queueing. One place of each kind is kept free for other accounts, and lent
// places are reclaimed.
export { createShares, nameSharer } from './shares/create-shares.ts';
export type { SharesOptions } from './shares/create-shares.ts';
export { withPlace } from './shares/with-place.ts';
export { computeShares, OTHER_REQUESTS_PER_SLOT } from './shares/shares.ts';
export type { AccountShares } from './shares/shares.ts';
export { computeCapacities, EGRESS_CONNECTIONS } from './shares/shares.ts';
export type { CapacityOptions } from './shares/shares.ts';
export type {
  AcquireOptions,
  OnReclaim,
  Place,
  ShareCapacities,
  ShareHolder,
  ShareKind,
  Shares,
  ShareState,
} from './shares/shares.ts';
