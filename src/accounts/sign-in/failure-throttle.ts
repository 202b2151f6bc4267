import { LRUCache } from 'lru-cache';
import { ApiError } from '#errors';

/** Failures of one address in a minute before it has to wait. */
const MAX_ADDRESS_FAILURES = 20;
/** Sign-ups and mails that one address may ask for in a minute. */
const MAX_ADDRESS_REQUESTS = 30;
/** Changes that one signed-in account may make in a minute: each is a commit and a line of its audit trail. */
const MAX_ACCOUNT_CHANGES = 120;
const ADDRESS_WINDOW_MS = 60_000;
/** Failures of one account before its delay begins: 1 s, doubling to 15 minutes. */
const FREE_ACCOUNT_FAILURES = 5;
const MAX_DELAY_MS = 15 * 60_000;
/** Failures of an account are forgotten after this long without a new one. */
const FORGET_MS = 24 * 3_600_000;
const MAILS_PER_HOUR = 3;

interface Window {
  startMs: number;
  count: number;
}

/** An attempt that counts as a failure until it is told otherwise. */
export interface Attempt {
  /** It was not judged after all. */
  undo(): void;
  /** It was right: the account's failures are forgotten, and this address is known to be its owner's. */
  succeed(): void;
}

export interface FailureThrottle {
  /**
   * Throws `rate_limit_exceeded` where this address, or this account from this address, has to wait. Else the attempt counts as a
   * failure from here on, so that of many at once no more are let in than of one after the other.
   */
  beginAttempt(address: string, account: string): Attempt;
  /** The address has shown to be the account's owner's, as by a link of a mail; the account's failures are forgotten. */
  recordOwner(address: string, account: string): void;
  /** Whether this address has signed in to this account before. */
  isOwner(address: string, account: string): boolean;
  /** Counts a sign-up or a mail; throws `rate_limit_exceeded` where the address asked for too many. */
  takeRequest(address: string): void;
  /** Counts a change that a signed-in account makes; throws `rate_limit_exceeded` where it made too many. */
  takeChange(account: string): void;
  /** Whether one more mail of this kind may go to this account in this hour: strangers who cause one kind cannot use up another. */
  takeMail(account: string, kind: string): boolean;
}

/**
 * Slows down guessing, per address and per account (known or not: the answer must not tell). No account is ever locked: the delay of one
 * does not hold for the addresses that signed in to it before, so a stranger cannot keep its owner out.
 */
export function createFailureThrottle(now: () => number): FailureThrottle {
  const failuresByAddress = new LRUCache<string, Window>({ max: 50_000 });
  const requestsByAddress = new LRUCache<string, Window>({ max: 50_000 });
  const changesByAccount = new LRUCache<string, Window>({ max: 50_000 });
  const mailsByAccount = new LRUCache<string, Window>({ max: 50_000 });
  const failuresByAccount = new LRUCache<string, { count: number; lastMs: number }>({ max: 50_000 });
  const owners = new LRUCache<string, true>({ max: 50_000 });

  const isOwner = (address: string, account: string): boolean => owners.has(`${account} ${address}`);

  function readAccountDelay(account: string): number {
    const failures = failuresByAccount.get(account);
    if (!failures || failures.count < FREE_ACCOUNT_FAILURES) return 0;
    const delayMs = Math.min(1000 * 2 ** (failures.count - FREE_ACCOUNT_FAILURES), MAX_DELAY_MS);
    return failures.lastMs + delayMs - now();
  }

  function recordOwner(address: string, account: string): void {
    failuresByAccount.delete(account);
    owners.set(`${account} ${address}`, true);
  }

  function countAttempt(address: string, account: string): () => void {
    const window = count(failuresByAddress, address, ADDRESS_WINDOW_MS, now());
    const known = failuresByAccount.get(account);
    const failures = known && now() - known.lastMs < FORGET_MS ? known : { count: 0, lastMs: -Infinity };
    const [beforeMs, lastMs] = [failures.lastMs, now()];
    failures.count += 1;
    failures.lastMs = lastMs;
    failuresByAccount.set(account, failures);
    return () => {
      window.count -= 1;
      failures.count -= 1;
      if (failures.lastMs === lastMs) failures.lastMs = beforeMs;
    };
  }

  return {
    beginAttempt(address, account) {
      const window = failuresByAddress.get(address);
      if (window && window.count >= MAX_ADDRESS_FAILURES) refuse(window.startMs + ADDRESS_WINDOW_MS - now());
      if (!isOwner(address, account)) refuse(readAccountDelay(account));
      const undo = countAttempt(address, account);
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
    takeRequest(address) {
      const window = count(requestsByAddress, address, ADDRESS_WINDOW_MS, now());
      if (window.count > MAX_ADDRESS_REQUESTS) refuse(window.startMs + ADDRESS_WINDOW_MS - now());
    },
    takeChange(account) {
      const window = count(changesByAccount, account, ADDRESS_WINDOW_MS, now());
      if (window.count > MAX_ACCOUNT_CHANGES) refuse(window.startMs + ADDRESS_WINDOW_MS - now());
    },
    takeMail: (account, kind) =>
      count(mailsByAccount, `${account} ${kind}`, 3_600_000, now()).count <= MAILS_PER_HOUR,
  };
}

function count(windows: LRUCache<string, Window>, name: string, lengthMs: number, nowMs: number): Window {
  const known = windows.get(name);
  const window = known && nowMs - known.startMs < lengthMs ? known : { startMs: nowMs, count: 0 };
  window.count += 1;
  windows.set(name, window);
  return window;
}

function refuse(waitMs: number): void {
  if (waitMs <= 0) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new ApiError('rate_limit_exceeded', `Too many attempts: wait ${retryAfterSeconds} s and try again.`, {
    retryAfterSeconds,
  });
}
