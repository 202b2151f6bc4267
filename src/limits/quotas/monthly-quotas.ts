import { AccountUnits } from './account-units.ts';
import { type QuotaMonth, type QuotaNotice, type QuotaStore, createMonthFinder } from './quota-store.ts';

/** The decision on a request. */
export interface QuotaDecision {
  admitted: boolean;
  quota: number;
  /** Units left in this month after this request. */
  remaining: number;
  /** The end of the month. */
  resetsAtMs: number;
  /** The time until then in whole seconds, at least 1. */
  retryAfterSeconds: number;
}

/**
 * Counts the units of accounts in calendar months (UTC). Units of this process count immediately, units of
 * other replicas within seconds. While the database fails, the last known totals count on.
 */
export interface MonthlyQuotas {
  /**
   * Counts `cost` units of an account, all or none. A cost of 0 counts nothing and is admitted if one more
   * unit would be.
   */
  consume(accountId: string, quota: number, cost: number, nowMs: number): Promise<QuotaDecision>;
  /** Takes back units of a request that was refused afterwards. */
  release(accountId: string, units: number): void;
  /** Reports that a request has ended, whose units the recorder of usage will store. */
  record(request: { accountId: string; units?: number | undefined }): void;
  /** The recorder begins to write what was recorded so far. */
  beginWrite(): void;
  /** The recorder has written it, and writes nothing until the promise resolves. Does not reject. */
  endWrite(): Promise<void>;
}

export interface MonthlyQuotasOptions extends NoticeOptions {
  store: QuotaStore;
  /** Receives the first error of an outage of the database. */
  onError?: (error: unknown) => void;
  /** Past this many accounts the oldest are forgotten, which bounds memory. */
  maxAccounts?: number;
}

/** Less than two flushes of the recorder: every second flush loads totals. */
const LOAD_INTERVAL_MS = 1_500;
/** The totals of accounts that were used within this time are loaded with the flush. */
const ACTIVE_MS = 60_000;
/** Longer than any request takes. */
const IN_FLIGHT_MS = 600_000;

export function createMonthlyQuotas(options: MonthlyQuotasOptions): MonthlyQuotas {
  const { now, onError = () => {}, maxAccounts = 50_000 } = options;
  const findMonth = createMonthFinder();
  const loader = new TotalLoader({ ...options, onError });
  const accounts = new AccountTable(maxAccounts);
  let loadedAtMs = -Infinity;
  let agedAtMs = now();

  /** Loads the totals of the accounts in use, and claims their notices. */
  async function load(): Promise<void> {
    const nowMs = now();
    if (nowMs - loadedAtMs < LOAD_INTERVAL_MS) return;
    loadedAtMs = nowMs;
    if (nowMs - agedAtMs >= IN_FLIGHT_MS) {
      agedAtMs = nowMs;
      accounts.ageInFlight();
    }
    const month = findMonth(nowMs);
    const active = accounts.listActive(nowMs - ACTIVE_MS);
    for (const account of active) account.enter(month, nowMs);
    await loader.loadAll(active);
    for (const account of active) await claimNotices(options, account, month);
  }

  return {
    async consume(accountId, quota, cost, nowMs) {
      const month = findMonth(nowMs);
      const account = accounts.use(accountId, nowMs);
      account.quota = quota;
      account.enter(month, nowMs);
      if (!account.isFresh(nowMs) && loader.canWait(nowMs)) await loader.loadOne(account);
      return decide(account, cost, month, nowMs);
    },
    release: (accountId, units) => accounts.find(accountId)?.end(units),
    record({ accountId, units = 1 }) {
      const account = accounts.find(accountId);
      if (account === undefined || units === 0) return;
      account.record(units);
      accounts.unwritten.add(account);
    },
    beginWrite() {
      for (const account of accounts.unwritten) {
        account.beginWrite();
        accounts.writing.add(account);
      }
      accounts.unwritten.clear();
    },
    async endWrite() {
      for (const account of accounts.writing) account.endWrite();
      accounts.writing.clear();
      await load().catch(onError);
    },
  };
}

function decide(
  account: AccountUnits,
  cost: number,
  { endMs: resetsAtMs }: QuotaMonth,
  nowMs: number,
): QuotaDecision {
  const { quota, used } = account;
  const admitted = used + Math.max(cost, 1) <= quota;
  if (admitted) account.begin(cost);
  return {
    admitted,
    quota,
    remaining: Math.max(0, quota - used - (admitted ? cost : 0)),
    resetsAtMs,
    retryAfterSeconds: Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000)),
  };
}

/** The accounts that this process knows. */
class AccountTable {
  /** Accounts with units that no write has begun for, and those that are being written. */
  readonly unwritten = new Set<AccountUnits>();
  readonly writing = new Set<AccountUnits>();
  readonly #maxAccounts: number;
  readonly #byId = new Map<string, AccountUnits>();
  /** Accounts that were used since they were last found idle. */
  readonly #active = new Set<AccountUnits>();

  constructor(maxAccounts: number) {
    this.#maxAccounts = maxAccounts;
  }

  find(accountId: string): AccountUnits | undefined {
    return this.#byId.get(accountId);
  }

  use(accountId: string, nowMs: number): AccountUnits {
    const account = this.#byId.get(accountId) ?? this.#add(accountId);
    account.usedAtMs = nowMs;
    this.#active.add(account);
    return account;
  }

  /** Returns the accounts that were used since `sinceMs`. */
  listActive(sinceMs: number): AccountUnits[] {
    for (const account of this.#active) if (account.usedAtMs < sinceMs) this.#active.delete(account);
    return [...this.#active];
  }

  ageInFlight(): void {
    for (const account of this.#byId.values()) account.ageInFlight();
  }

  #add(accountId: string): AccountUnits {
    const [oldest] = this.#byId.size >= this.#maxAccounts ? this.#byId.values() : [];
    if (oldest !== undefined) {
      this.#byId.delete(oldest.accountId);
      this.#active.delete(oldest);
    }
    const account = new AccountUnits(accountId);
    this.#byId.set(accountId, account);
    return account;
  }
}

/** Accounts per query. */
const ACCOUNTS_PER_QUERY = 500;
/** The longest time that a request waits for its account's total. */
const MAX_WAIT_MS = 500;
/** After a failure, requests are decided by the last known totals for so long. */
const PAUSE_MS = 5_000;

interface TotalLoaderOptions {
  store: Pick<QuotaStore, 'sumUnits'>;
  now: () => number;
  /** Receives the first error of an outage of the database. */
  onError: (error: unknown) => void;
}

/** Loads the totals of accounts from the database. Never rejects: without it the last totals are kept. */
class TotalLoader {
  readonly #options: TotalLoaderOptions;
  #pausedUntilMs = -Infinity;
  #isFailing = false;

  constructor(options: TotalLoaderOptions) {
    this.#options = options;
  }

  /** Checks if requests may wait for a load. */
  canWait(nowMs: number): boolean {
    return nowMs >= this.#pausedUntilMs;
  }

  /** Loads the total of one account. Concurrent calls share one query, for a bounded time. */
  loadOne(account: AccountUnits): Promise<void> {
    account.loading ??= this.#waitAtMost(this.#query([account])).finally(() => {
      account.loading = null;
    });
    return account.loading;
  }

  /** Loads the totals of many accounts. */
  async loadAll(accounts: readonly AccountUnits[]): Promise<void> {
    for (let first = 0; first < accounts.length; first += ACCOUNTS_PER_QUERY)
      await this.#query(accounts.slice(first, first + ACCOUNTS_PER_QUERY));
  }

  async #query(accounts: readonly AccountUnits[]): Promise<void> {
    const { store, now, onError } = this.#options;
    const asked = accounts.map((account) => ({
      account,
      monthStartMs: account.monthStartMs,
      loadedAtMs: account.loadedAtMs,
    }));
    try {
      for (const [monthStartMs, ofMonth] of Map.groupBy(asked, (one) => one.monthStartMs)) {
        const totals = await store.sumUnits(
          ofMonth.map(({ account }) => account.accountId),
          monthStartMs,
        );
        for (const { account, loadedAtMs } of ofMonth)
          // A later query may have been faster.
          if (account.loadedAtMs === loadedAtMs)
            account.load(totals.get(account.accountId) ?? 0, monthStartMs, now());
      }
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) onError(error);
      this.#isFailing = true;
      this.#pause();
    }
  }

  #pause(): void {
    this.#pausedUntilMs = this.#options.now() + PAUSE_MS;
  }

  #waitAtMost(query: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#pause();
      resolve();
    }, MAX_WAIT_MS);
    void query.finally(() => {
      clearTimeout(timer);
      resolve();
    });
    return promise;
  }
}

/** The percentages of a quota at which its owner gets an email, highest first. */
const NOTICE_PERCENTAGES = [100, 80] as const;

interface NoticeOptions {
  store: Pick<QuotaStore, 'claimNotice'>;
  now: () => number;
  /** Called in one process, once per account, month and percentage. Must not throw. */
  onNotice: (notice: QuotaNotice) => void;
}

/**
 * Reports that an account has reached a percentage of its quota, if no process has done so in this month.
 * Only stored units count. Rejects if the database fails: the next call tries again.
 */
async function claimNotices(
  { store, now, onNotice }: NoticeOptions,
  account: AccountUnits,
  { startMs, endMs }: QuotaMonth,
): Promise<void> {
  const { accountId, stored: used, quota, claimed } = account;
  const percent = NOTICE_PERCENTAGES.find((one) => used * 100 >= quota * one);
  if (percent === undefined || claimed.has(percent) || account.monthStartMs !== startMs) return;
  const isFirst = await store.claimNotice({ accountId, monthStartMs: startMs, percent, nowMs: now() });
  if (account.monthStartMs === startMs) claimed.add(percent);
  if (isFirst) onNotice({ accountId, percent, used, quota, resetsAtMs: endMs });
}
