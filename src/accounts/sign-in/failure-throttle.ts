import { LRUCache } from 'lru-cache';
import { ApiError } from '#errors';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The most events in a window, which starts with its first event. */
const WINDOWS = {
  addressFailure: { max: 20, lengthMs: MINUTE_MS },
  // Sign-ups, requested mails and sign-ins at the provider, per address and per network.
  request: { max: 30, lengthMs: MINUTE_MS },
  requestOfDay: { max: 5_000, lengthMs: DAY_MS },
  // Changes per signed-in account: each is a commit and an entry of the audit trail.
  change: { max: 120, lengthMs: MINUTE_MS },
  changeOfDay: { max: 2_000, lengthMs: DAY_MS },
  mail: { max: 3, lengthMs: HOUR_MS },
  // Accounts and entries about failed sign-ins, per network and of all.
  signUp: { max: 5, lengthMs: DAY_MS },
  signUpOfAll: { max: 1_000, lengthMs: DAY_MS },
  failureEntry: { max: 500, lengthMs: DAY_MS },
  failureEntryOfAll: { max: 10_000, lengthMs: DAY_MS },
  failureEntryOfAccount: { max: 100, lengthMs: DAY_MS },
};
type CountedEvent = keyof typeof WINDOWS;

/** The limits of a FailureCounts. */
export interface FailureLimits {
  windows: typeof WINDOWS;
  account: {
    /** Failures of one account before its delay starts: 1 s, doubled by each failure up to `maxDelayMs`. */
    freeFailures: number;
    maxDelayMs: number;
    /** Failures of an account expire this long after the last one. */
    lifetimeMs: number;
  };
}

export const FAILURE_LIMITS: FailureLimits = {
  windows: WINDOWS,
  account: { freeFailures: 5, maxDelayMs: 15 * MINUTE_MS, lifetimeMs: DAY_MS },
};

/** An attempt that was counted as a failure of its address and its account, unless it has to wait. */
interface CountedAttempt {
  /** The time until the attempt may be made, in milliseconds; 0 or less if it was counted. */
  waitMs: number;
  /** Takes the failure back. */
  undo(): Promise<void>;
  /** Takes the failure back, clears the account's failures and records the address as an owner's. */
  succeed(): Promise<void>;
}

/** Counts of sign-in attempts and mails, in memory or shared by replicas. */
export interface FailureCounts {
  /**
   * Counts a failure of both, unless the address, or the account for an address that is not an owner's, has
   * to wait. Concurrent attempts are accepted as often as consecutive ones.
   */
  beginAttempt(address: string, account: string): Promise<CountedAttempt>;
  /** Records the address as an owner's, and clears the account's failures. */
  recordOwner(address: string, account: string): Promise<void>;
  isOwner(address: string, account: string): Promise<boolean>;
  /** Counts an event unless it has to wait; returns how long, in milliseconds: 0 or less if counted. */
  count(event: CountedEvent, name: string): Promise<number>;
}

/** The limit of each cache. Given as a size: `max` fills arrays of that length at the start. */
const LIMIT = { maxSize: 50_000, sizeCalculation: () => 1 };

/** Creates counts for one process. */
export function createMemoryFailureCounts(now: () => number, limits = FAILURE_LIMITS): FailureCounts {
  const addresses = createWindows(limits.windows.addressFailure, now);
  const windows = new Map(
    Object.entries(limits.windows).map(([event, limit]) => [event, createWindows(limit, now)]),
  );
  const accounts = createAccountFailures(limits.account, now);
  const owners = new LRUCache<string, true>(LIMIT);
  const isOwner = (address: string, account: string): boolean => owners.has(`${account} ${address}`);
  const recordOwner = (address: string, account: string): void => {
    accounts.clear(account);
    owners.set(`${account} ${address}`, true);
  };
  return {
    async beginAttempt(address, account) {
      const accountWaitMs = isOwner(address, account) ? 0 : accounts.computeWaitMs(account);
      const waitMs = Math.max(addresses.computeWaitMs(address), accountWaitMs);
      if (waitMs > 0) return { waitMs, undo: async () => {}, succeed: async () => {} };
      const window = addresses.count(address);
      const undoFailure = accounts.count(account);
      const undo = async (): Promise<void> => {
        window.count -= 1;
        undoFailure();
      };
      return {
        waitMs: 0,
        undo,
        async succeed() {
          await undo();
          recordOwner(address, account);
        },
      };
    },
    recordOwner: async (address, account) => recordOwner(address, account),
    isOwner: async (address, account) => isOwner(address, account),
    async count(event, name) {
      const window = windows.get(event)!;
      const waitMs = window.computeWaitMs(name);
      if (waitMs <= 0) window.count(name);
      return waitMs;
    },
  };
}

interface Window {
  startMs: number;
  count: number;
}

function createWindows({ max, lengthMs }: { max: number; lengthMs: number }, now: () => number) {
  const windows = new LRUCache<string, Window>(LIMIT);
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
function createAccountFailures(limits: FailureLimits['account'], now: () => number) {
  const byAccount = new LRUCache<string, { count: number; lastMs: number }>(LIMIT);
  return {
    /** Returns the time until the next attempt; 0 or less if it may start now. */
    computeWaitMs(account: string): number {
      const failures = byAccount.get(account);
      if (!failures || failures.count < limits.freeFailures) return 0;
      const delayMs = Math.min(1000 * 2 ** (failures.count - limits.freeFailures), limits.maxDelayMs);
      return failures.lastMs + delayMs - now();
    },
    /** Counts a failure. Returns the function that takes it back. */
    count(account: string): () => void {
      const known = byAccount.get(account);
      const isFresh = known && now() - known.lastMs < limits.lifetimeMs;
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

/**
 * Combines counts that replicas share with the counts of this process, which are used while the shared ones
 * are out of reach: each replica then applies the limits alone, and none is without them.
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

/** An attempt that counts as a failure until one of these is called. */
type Attempt = Pick<CountedAttempt, 'undo' | 'succeed'>;

export type FailureThrottle = ReturnType<typeof createFailureThrottle>;

/**
 * Creates a throttle of password guessing, per address and per account (known or not: the response must not
 * reveal accounts). No account is locked: its delay does not apply to addresses that signed in to it before,
 * so a stranger cannot lock out its owner.
 */
export function createFailureThrottle(counts: FailureCounts) {
  return {
    /**
     * Counts an attempt as a failure before its result is known, so that concurrent attempts get no more
     * tries than consecutive ones. Throws `rate_limit_exceeded` if the address, or the account for this
     * address, has to wait.
     */
    async beginAttempt(address: string, account: string): Promise<Attempt> {
      const attempt = await counts.beginAttempt(address, account);
      assertNoWait(attempt.waitMs);
      return attempt;
    },
    /**
     * Records the address as an owner's, for example after a mailed link, and clears the account's failures.
     */
    recordOwner: (address: string, account: string) => counts.recordOwner(address, account),
    /** Returns whether this address has signed in to this account before. */
    isOwner: (address: string, account: string) => counts.isOwner(address, account),
    /** Counts a sign-up or a requested mail. Throws `rate_limit_exceeded` past 30 per minute, 5,000 a day. */
    async consumeRequest(address: string): Promise<void> {
      assertNoWait(await counts.count('request', address));
      assertNoWait(await countByNetwork(counts, 'requestOfDay', address));
    },
    /**
     * Counts a sign-up without an invitation. Throws `rate_limit_exceeded` past 5 per network, or 1,000 of
     * all, in 24 hours. Private networks have no limit of their own: a proxy or a company may be there.
     */
    async consumeSignUp(address: string): Promise<void> {
      const ofNetworkMs = await countByNetwork(counts, 'signUp', address);
      const waitMs = ofNetworkMs > 0 ? ofNetworkMs : await counts.count('signUpOfAll', '');
      if (waitMs > 0)
        throw new ApiError(
          'rate_limit_exceeded',
          'Too many people have signed up in the last 24 hours from your network, or in all: ask the operator for an invitation, or try again after the number of seconds in Retry-After.',
          { retryAfterSeconds: Math.ceil(waitMs / 1000) },
        );
    },
    /**
     * Counts an entry about a failed sign-in. Returns false past 100 per account, known or not, 500 per
     * network or 10,000 of all in 24 hours.
     */
    consumeFailureEntry: async (address: string, account: string): Promise<boolean> =>
      (await counts.count('failureEntryOfAccount', account)) <= 0 &&
      (await countByNetwork(counts, 'failureEntry', address)) <= 0 &&
      (await counts.count('failureEntryOfAll', '')) <= 0,
    /** Counts a change by an account. Throws `rate_limit_exceeded` past 120 per minute or 2,000 per day. */
    async consumeChange(account: string): Promise<void> {
      assertNoWait(await counts.count('change', account));
      assertNoWait(await counts.count('changeOfDay', account));
    },
    /**
     * Counts a mail to the account. Returns false past 3 per hour and kind: strangers who cause mails of one
     * kind cannot prevent mails of another kind.
     */
    consumeMail: async (account: string, kind: string): Promise<boolean> =>
      (await counts.count('mail', `${account} ${kind}`)) <= 0,
    /**
     * Counts a download of all data of the account. Throws `rate_limit_exceeded` past 3 per hour: the window
     * of mails, under a name that no mail has.
     */
    consumeExport: async (account: string): Promise<void> =>
      assertNoWait(await counts.count('mail', `${account} export`)),
  };
}

/** Counts an event of the network of `address`. Returns how long to wait. */
async function countByNetwork(counts: FailureCounts, event: CountedEvent, address: string): Promise<number> {
  const network = findPublicNetwork(address);
  return network === null ? 0 : counts.count(event, network);
}

/** Addresses of this machine and of private networks (RFC 1918, 3927, 4193, 4291, 6598). */
const PRIVATE =
  /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(?:0:0:0:0:|f[cd]..:|fe[89ab].:)/;

/** Returns the /24 of an IPv4 address, or the /48 of an IPv6 /64; null if it is private. */
function findPublicNetwork(address: string): string | null {
  if (PRIVATE.test(address)) return null;
  return address.includes(':')
    ? `${address.split(':').slice(0, 3).join(':')}::/48`
    : address.replace(/\.\d+$/, '.0/24');
}

function assertNoWait(waitMs: number): void {
  if (waitMs <= 0) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new ApiError('rate_limit_exceeded', `Too many attempts: wait ${retryAfterSeconds} s and try again.`, {
    retryAfterSeconds,
  });
}
