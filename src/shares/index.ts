/**
 * How much at once: an account's fair share of scarce resources. Grants places in the order of a weighted fair queue, keeps one place of
 * each kind free for other accounts, and reclaims places that are lent. Never counts requests per minute (`ratelimit/` does).
 */
export type { AcquireOptions, OnReclaim, Place, ShareHolder, ShareKind, Shares } from './shares.ts';
