import { LRUCache } from 'lru-cache';
import { ApiError } from '#errors';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Failed attempts per address and minute. */
const MAX_ADDRESS_FAILURES = 20;
/** Sign-ups and requested mails per address and minute. */
const MAX_ADDRESS_REQUESTS = 30;
/** Changes per signed-in account and minute: each is a commit and an entry of the audit trail. */
const MAX_ACCOUNT_CHANGES = 120;
const MAX_MAILS_PER_HOUR = 3;
/** Failures of one account before its delay starts: 1 s, doubled by each failure up to 15 minutes. */
const FREE_ACCOUNT_FAILURES = 5;
const MAX_DELAY_MS = 15 * MINUTE_MS;
/** Failures of an account expire this long after the last one. */
const FAILURE_LIFETIME_MS = 24 * HOUR_MS;
/** The entries of each cache. */
const MAX_ENTRIES = 50_000;

/** An attempt that counts as a failure until one of these is called. */
export interface Attempt {
  /** The password was not verified: the attempt does not count. */
  undo(): void;
  /** The password was right: clears the account's failures and records the address as an owner's. */
  succeed(): void;
}

export interface FailureThrottle {
  /**
   * Counts an attempt as a failure before its result is known, so that concurrent attempts get no more tries
   * than consecutive ones. Throws `rate_limit_exceeded` if the address, or the account for this address, has
   * to wait.
   */
  beginAttempt(address: string, account: string): Attempt;
  /**
   * Records the address as an owner's, for example after a mailed link, and clears the account's failures.
   */
  recordOwner(address: string, account: string): void;
  /** Returns whether this address has signed in to this account before. */
  isOwner(address: string, account: string): boolean;
  /** Counts a sign-up or a requested mail. Throws `rate_limit_exceeded` past 30 per minute. */
  consumeRequest(address: string): void;
  /** Counts a change by a signed-in account. Throws `rate_limit_exceeded` past 120 per minute. */
  consumeChange(account: string): void;
  /**
   * Counts a mail to the account. Returns false past 3 per hour and kind: strangers who cause mails of one
   * kind cannot prevent those of another.
   */
  consumeMail(account: string, kind: string): boolean;
}

/**
 * Creates a throttle of password guessing, per address and per account (known or not: the response must not
 * reveal accounts). No account is locked: its delay does not apply to addresses that signed in to it before,
 * so a stranger cannot lock out its owner.
 */
export function createFailureThrottle(now: () => number): FailureThrottle {
  const failuresByAddress = createWindows(MAX_ADDRESS_FAILURES, MINUTE_MS, now);
  const requestsByAddress = createWindows(MAX_ADDRESS_REQUESTS, MINUTE_MS, now);
  const changesByAccount = createWindows(MAX_ACCOUNT_CHANGES, MINUTE_MS, now);
  const mailsByAccount = createWindows(MAX_MAILS_PER_HOUR, HOUR_MS, now);
  const failuresByAccount = createAccountFailures(now);
  const owners = new LRUCache<string, true>({ max: MAX_ENTRIES });

  const isOwner = (address: string, account: string): boolean => owners.has(`${account} ${address}`);
  const recordOwner = (address: string, account: string): void => {
    failuresByAccount.clear(account);
    owners.set(`${account} ${address}`, true);
  };
  return {
    beginAttempt(address, account) {
      assertNoWait(failuresByAddress.computeWaitMs(address));
      if (!isOwner(address, account)) assertNoWait(failuresByAccount.computeWaitMs(account));
      const window = failuresByAddress.count(address);
      const undoFailure = failuresByAccount.count(account);
      const undo = (): void => {
        window.count -= 1;
        undoFailure();
      };
      return {
        undo,
        succeed() {
          undo();
          recordOwner(address, account);
        },
      };
    },
    recordOwner,
    isOwner,
    consumeRequest(address) {
      assertNoWait(requestsByAddress.computeWaitMs(address));
      requestsByAddress.count(address);
    },
    consumeChange(account) {
      assertNoWait(changesByAccount.computeWaitMs(account));
      changesByAccount.count(account);
    },
    consumeMail(account, kind) {
      const isAllowed = mailsByAccount.computeWaitMs(`${account} ${kind}`) <= 0;
      if (isAllowed) mailsByAccount.count(`${account} ${kind}`);
      return isAllowed;
    },
  };
}

interface Window {
  startMs: number;
  count: number;
}

/** Creates counts in windows of `lengthMs`, each of which starts with its first event. */
function createWindows(max: number, lengthMs: number, now: () => number) {
  const windows = new LRUCache<string, Window>({ max: MAX_ENTRIES });
  return {
    /** Returns the time until `name` may have one more event; 0 or less if it may now. */
    computeWaitMs(name: string): number {
      const window = windows.get(name);
      return window && window.count >= max ? window.startMs + lengthMs - now() : 0;
    },
    count(name: string): Window {
      const known = windows.get(name);
      const window = known && now() - known.startMs < lengthMs ? known : { startMs: now(), count: 0 };
      window.count += 1;
      windows.set(name, window);
      return window;
    },
  };
}

/** Creates counts of consecutive failures by account, whose delay doubles with each failure. */
function createAccountFailures(now: () => number) {
  const byAccount = new LRUCache<string, { count: number; lastMs: number }>({ max: MAX_ENTRIES });
  return {
    /** Returns the time until the next attempt; 0 or less if it may start now. */
    computeWaitMs(account: string): number {
      const failures = byAccount.get(account);
      if (!failures || failures.count < FREE_ACCOUNT_FAILURES) return 0;
      const delayMs = Math.min(1000 * 2 ** (failures.count - FREE_ACCOUNT_FAILURES), MAX_DELAY_MS);
      return failures.lastMs + delayMs - now();
    },
    /** Counts a failure. Returns the function that takes it back. */
    count(account: string): () => void {
      const known = byAccount.get(account);
      const isFresh = known && now() - known.lastMs < FAILURE_LIFETIME_MS;
      const failures = isFresh ? known : { count: 0, lastMs: -Infinity };
      const [beforeMs, lastMs] = [failures.lastMs, now()];
      failures.count += 1;
      failures.lastMs = lastMs;
      byAccount.set(account, failures);
      return () => {
        failures.count -= 1;
        if (failures.lastMs === lastMs) failures.lastMs = beforeMs;
      };
    },
    clear: (account: string): void => void byAccount.delete(account),
  };
}

function assertNoWait(waitMs: number): void {
  if (waitMs <= 0) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new ApiError('rate_limit_exceeded', `Too many attempts: wait ${retryAfterSeconds} s and try again.`, {
    retryAfterSeconds,
  });
}
