import { createHmac } from 'node:crypto';
import type { FailureCounts, FailureLimits } from '#accounts/sign-in';
import { BEGIN_ATTEMPT, COUNT_EVENT, RECORD_OWNER, UNDO_ATTEMPT } from './failure-scripts.ts';
import type { RedisLink } from './redis-link.ts';

/** An address stays known as an owner's for this long after it last signed in. */
const OWNER_LIFETIME_MS = 90 * 86_400_000;

/**
 * Creates counts that replicas share. Names are keyed hashes: Redis holds no email address and no IP address,
 * and an unkeyed hash of one is reversed by trying all of them. All keys have one hash tag, because a script
 * touches several.
 */
export function createRedisFailureCounts(
  link: RedisLink,
  secret: string,
  limits: FailureLimits,
): FailureCounts {
  const formatKey = (kind: string, name: string): string => {
    const hashed = createHmac('sha256', secret).update(`${kind} ${name}`).digest('base64url');
    return `${link.prefix}{sign-in}:${kind}:${hashed.slice(0, 22)}`;
  };
  const formatOwner = (address: string, account: string): string =>
    formatKey('owner', `${account} ${address}`);
  const formatAccount = (account: string): string => formatKey('account', account);

  async function recordOwner(address: string, account: string): Promise<void> {
    await link.run(
      RECORD_OWNER,
      [formatAccount(account), formatOwner(address, account)],
      [OWNER_LIFETIME_MS],
    );
  }

  return {
    async beginAttempt(address, account) {
      const { max, lengthMs } = limits.windows.addressFailure;
      const { freeFailures, maxDelayMs, lifetimeMs } = limits.account;
      const keys = [formatKey('address', address), formatAccount(account)];
      const reply = await link.run(
        BEGIN_ATTEMPT,
        [...keys, formatOwner(address, account)],
        [max, lengthMs, freeFailures, maxDelayMs, lifetimeMs],
      );
      const [waitMs, ...failure] = reply as [number, number, number, number];
      const undo = async (): Promise<void> => void (await link.run(UNDO_ATTEMPT, keys, failure));
      return {
        waitMs,
        undo,
        async succeed() {
          await undo();
          await recordOwner(address, account);
        },
      };
    },
    recordOwner,
    isOwner: async (address, account) =>
      (await link.call((redis) => redis.exists(formatOwner(address, account)))) === 1,
    async count(event, name) {
      const { max, lengthMs } = limits.windows[event];
      return Number(await link.run(COUNT_EVENT, [formatKey(event, name)], [max, lengthMs]));
    },
  };
}
