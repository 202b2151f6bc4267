/**
 * How much at once: an account's fair share of scarce resources. Grants places in the order of a weighted
 * fair queue, keeps one place of each kind free for other accounts, and reclaims places that are lent. Never
 * counts requests per minute (`ratelimit/` does).
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
