import type { FailureCounts } from './failure-counts.ts';

/**
 * Combines counts that replicas share with those of this process, which are used while the shared ones are
 * out of reach: each replica then applies the limits alone, and none is without them.
 */
export function createFallbackCounts(shared: FailureCounts, local: FailureCounts): FailureCounts {
  const tryShared = <T>(call: (counts: FailureCounts) => Promise<T>): Promise<T> =>
    call(shared).catch(() => call(local));
  return {
    async beginAttempt(address, account) {
      const attempt = await tryShared((counts) => counts.beginAttempt(address, account));
      return {
        waitMs: attempt.waitMs,
        // A failure that cannot be taken back expires by itself.
        undo: () => attempt.undo().catch(() => {}),
        async succeed() {
          await attempt.succeed().catch(() => {});
          await local.recordOwner(address, account);
        },
      };
    },
    async recordOwner(address, account) {
      // Also locally: in an outage, strangers must not delay the owner.
      await local.recordOwner(address, account);
      await shared.recordOwner(address, account).catch(() => {});
    },
    isOwner: (address, account) => tryShared((counts) => counts.isOwner(address, account)),
    count: (event, name) => tryShared((counts) => counts.count(event, name)),
  };
}
