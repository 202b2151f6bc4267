import { ApiError } from '#errors';
import { FairPool, type Refusal } from './fair-pool.ts';
import {
  type AccountShares,
  type ShareCapacities,
  type ShareHolder,
  type ShareKind,
  type Shares,
  computeShares,
} from './shares.ts';
import type { PoolHolder } from './pool-accounts.ts';

export interface SharesOptions {
  capacities: ShareCapacities;
  /** The largest request body in bytes, which is one place of `bodyBytes`. */
  maxBodyBytes: number;
  /** Milliseconds; only differences count. */
  now: () => number;
  /** Called for each refused or reclaimed place. `share`: also for the most that an account may hold. */
  onRefusal?: ((kind: ShareKind, reason: 'share' | 'capacity') => void) | undefined;
}

interface KindRule {
  /** Completes "this server's …". */
  name: string;
  maxQueued: number;
  maxWaitMs: number;
  /** See FairPoolOptions. */
  loanMs: number | null;
}

/** Requests for these kinds do not wait: they are granted or refused immediately. */
const NO_QUEUE = { maxQueued: 0, maxWaitMs: 0, loanMs: 0 };

const KINDS: Record<ShareKind, KindRule> = {
  bodyBytes: { name: 'memory for request bodies', ...NO_QUEUE },
  emailRequests: { name: 'email validations in progress', ...NO_QUEUE },
  metadataRequests: { name: 'metadata requests in progress', ...NO_QUEUE },
  pdfRequests: { name: 'PDF requests in progress', ...NO_QUEUE },
  pageConnections: { name: 'connections to pages', maxQueued: 512, maxWaitMs: 2_500, loanMs: 500 },
  browserPages: {
    name: 'documents and pages rendered at once',
    maxQueued: 200,
    maxWaitMs: 10_000,
    // Most documents end by themselves within this time.
    loanMs: 1_000,
  },
  // Lookups of a batch may wait long. Most lookups end within the loan; one whose place is reclaimed starts
  // again.
  dnsLookups: { name: 'DNS lookups', maxQueued: 100_000, maxWaitMs: 1_500, loanMs: 250 },
  // The memory for bodies bounds how many wait.
  parserThreads: { name: 'threads for large bodies', maxQueued: 2_000, maxWaitMs: Infinity, loanMs: null },
};

const OTHER_REQUESTS = 'requests in progress besides the documents being rendered';

/** The group of the accounts that share one weight. */
const UNPROVEN = 'unproven';
const VERIFY = ', or verify its email address, so that it has a share of its own';

/**
 * Names an account where places are shared: in the pools, and at hosts of the web (`group member`). Its name
 * is another one once it is proven.
 */
export function nameSharer({ accountId, isUnproven }: Pick<ShareHolder, 'accountId' | 'isUnproven'>): string {
  return isUnproven ? `${UNPROVEN} ${accountId}` : accountId;
}

/** Creates the pools of all kinds. */
export function createShares({ capacities, maxBodyBytes, now, onRefusal }: SharesOptions): Shares {
  const createPool = (kind: ShareKind): FairPool =>
    new FairPool({
      ...KINDS[kind],
      capacity: capacities[kind],
      reserve: kind === 'bodyBytes' ? maxBodyBytes : 1,
      now,
      createError(refusal) {
        const { reason, limit, part } = refusal;
        // A request that fits into no share is at fault itself.
        if (reason !== 'size') onRefusal?.(kind, reason === 'limit' ? 'share' : reason);
        const amounts = { limit: formatAmount(kind, limit), part: formatAmount(kind, part) };
        return createError(KINDS[kind].name, amounts, refusal);
      },
    });
  const pools = {} as Record<ShareKind, FairPool>;
  for (const kind of Object.keys(KINDS) as ShareKind[]) pools[kind] = createPool(kind);
  const defaultWeight = Math.max(1, capacities.browserPages - 1);

  const planShares = new Map<number | null, AccountShares>();

  function getPlanShares(slots: number | null): AccountShares {
    let limits = planShares.get(slots);
    if (limits === undefined) {
      limits = computeShares({ slots }, capacities, maxBodyBytes);
      planShares.set(slots, limits);
    }
    return limits;
  }

  function toPoolHolder(kind: ShareKind, holder: ShareHolder): PoolHolder {
    const { slots, weight = slots ?? defaultWeight, isUnproven = false } = holder;
    const limit = isUnproven && kind === 'browserPages' ? 1 : getPlanShares(slots)[kind];
    return { accountId: nameSharer(holder), weight, limit, group: isUnproven ? UNPROVEN : undefined };
  }

  /** Throws if the requests in flight of all operations, except documents being rendered, exceed the plan. */
  function assertWithinPlan(kind: ShareKind, holder: ShareHolder): void {
    const { slots } = holder;
    if (slots === null || !kind.endsWith('Requests')) return;
    const accountId = nameSharer(holder);
    const { otherRequests: limit, browserPages } = getPlanShares(slots);
    const isPdf = kind === 'pdfRequests';
    const pdf = pools.pdfRequests.getHeld(accountId) + (isPdf ? 1 : 0);
    const email = pools.emailRequests.getHeld(accountId);
    const metadata = pools.metadataRequests.getHeld(accountId);
    if (email + metadata + (isPdf ? 0 : 1) + Math.max(0, pdf - browserPages) <= limit) return;
    const { isUnproven = false } = holder;
    const refusal = {
      reason: 'limit',
      wasQueued: false,
      retryAfterMs: 1_000,
      isGrouped: isUnproven,
    } as const;
    onRefusal?.(kind, 'share');
    throw createError(OTHER_REQUESTS, { limit: String(limit), part: '' }, refusal);
  }

  return {
    take(kind, holder, amount, onReclaim) {
      assertWithinPlan(kind, holder);
      return pools[kind].take(toPoolHolder(kind, holder), amount, onReclaim);
    },
    acquire: (kind, holder, options) => pools[kind].acquire(toPoolHolder(kind, holder), options),
    getState: (kind) => ({
      capacity: capacities[kind],
      held: pools[kind].held,
      queued: pools[kind].queued,
    }),
  };
}

function formatAmount(kind: ShareKind, amount: number): string {
  return kind === 'bodyBytes' ? `${Math.floor(amount / 1_000_000)} MB` : String(amount);
}

/** The message says whose share is used up: that of the account, or those of others. */
function createError(
  name: string,
  { limit, part }: { limit: string; part: string },
  { reason, wasQueued, retryAfterMs, isGrouped }: Omit<Refusal, 'limit' | 'part'>,
): ApiError {
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
  if (reason === 'size')
    return new ApiError(
      'payload_too_large',
      `The request needs more than an account may ever use of this server’s ${name} (${limit}): send less.`,
    );
  if (reason === 'capacity')
    return new ApiError(
      'overloaded',
      `This server is busy with other accounts, which use up its ${name}, each within its share: try again after the number of seconds in Retry-After.`,
      { retryAfterSeconds },
    );
  const whose =
    reason === 'limit'
      ? `Your account has used up its share of this server’s ${name} (at most ${limit}, less while other accounts need theirs)`
      : `Other accounts need their shares of this server’s ${name}, of which your account has ${part} for now (at most ${limit} while they are idle)`;
  return new ApiError(
    wasQueued ? 'overloaded' : 'rate_limit_exceeded',
    `${whose}: wait for some of its requests to end${isGrouped ? VERIFY : ''}, then send this one again.`,
    { retryAfterSeconds },
  );
}
