import type { AccountUnits } from './account-units.ts';
import type { QuotaStore } from './quota-store.ts';

/** Accounts per query. */
const ACCOUNTS_PER_QUERY = 500;
/** The longest time that a request waits for its account's total. */
const MAX_WAIT_MS = 500;
/** After a failure, requests are decided by the last known totals for so long. */
const PAUSE_MS = 5_000;

export interface TotalLoaderOptions {
  store: Pick<QuotaStore, 'sumUnits'>;
  now: () => number;
  /** Receives the first error of an outage of the database. */
  onError: (error: unknown) => void;
}

/** Loads the totals of accounts from the database. Never rejects: without it the last totals are kept. */
export class TotalLoader {
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
