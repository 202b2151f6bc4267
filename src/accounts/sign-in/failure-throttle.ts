import { ApiError } from '#errors';
import type { CountedAttempt, FailureCounts } from './failure-counts.ts';

/** An attempt that counts as a failure until one of these is called. */
export type Attempt = Pick<CountedAttempt, 'undo' | 'succeed'>;

export interface FailureThrottle {
  /**
   * Counts an attempt as a failure before its result is known, so that concurrent attempts get no more tries
   * than consecutive ones. Throws `rate_limit_exceeded` if the address, or the account for this address, has
   * to wait.
   */
  beginAttempt(address: string, account: string): Promise<Attempt>;
  /**
   * Records the address as an owner's, for example after a mailed link, and clears the account's failures.
   */
  recordOwner(address: string, account: string): Promise<void>;
  /** Returns whether this address has signed in to this account before. */
  isOwner(address: string, account: string): Promise<boolean>;
  /** Counts a sign-up or a requested mail. Throws `rate_limit_exceeded` past 30 per minute. */
  consumeRequest(address: string): Promise<void>;
  /** Counts a change by a signed-in account. Throws `rate_limit_exceeded` past 120 per minute. */
  consumeChange(account: string): Promise<void>;
  /**
   * Counts a mail to the account. Returns false past 3 per hour and kind: strangers who cause mails of one
   * kind cannot prevent those of another.
   */
  consumeMail(account: string, kind: string): Promise<boolean>;
  /** Counts a download of all data of the account. Throws `rate_limit_exceeded` past 3 per hour. */
  consumeExport(account: string): Promise<void>;
}

/**
 * Creates a throttle of password guessing, per address and per account (known or not: the response must not
 * reveal accounts). No account is locked: its delay does not apply to addresses that signed in to it before,
 * so a stranger cannot lock out its owner.
 */
export function createFailureThrottle(counts: FailureCounts): FailureThrottle {
  return {
    async beginAttempt(address, account) {
      const attempt = await counts.beginAttempt(address, account);
      assertNoWait(attempt.waitMs);
      return attempt;
    },
    recordOwner: (address, account) => counts.recordOwner(address, account),
    isOwner: (address, account) => counts.isOwner(address, account),
    consumeRequest: async (address) => assertNoWait(await counts.count('request', address)),
    consumeChange: async (account) => assertNoWait(await counts.count('change', account)),
    consumeMail: async (account, kind) => (await counts.count('mail', `${account} ${kind}`)) <= 0,
    // The window of mails, under a name that no mail has.
    consumeExport: async (account) => assertNoWait(await counts.count('mail', `${account} export`)),
  };
}

function assertNoWait(waitMs: number): void {
  if (waitMs <= 0) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new ApiError('rate_limit_exceeded', `Too many attempts: wait ${retryAfterSeconds} s and try again.`, {
    retryAfterSeconds,
  });
}
