/**
 * Concurrency limits: an account's fair share of scarce resources. Grants places by weighted fair queueing,
 * keeps one place of each kind free for other accounts, and reclaims lent places. Does not count requests per
 * minute (`ratelimit/` does).
 */
export { createShares } from './create-shares.ts';
export type { SharesOptions } from './create-shares.ts';
export { withPlace } from './with-place.ts';
export { computeShares, OTHER_REQUESTS_PER_SLOT } from './plan-shares.ts';
export type { AccountShares } from './plan-shares.ts';
export { computeCapacities } from './share-capacities.ts';
export type { CapacityOptions } from './share-capacities.ts';
export type {
  AcquireOptions,
  OnReclaim,
  Place,
  ShareCapacities,
  ShareHolder,
  ShareKind,
  Shares,
  ShareState,
} from './shares.ts';
