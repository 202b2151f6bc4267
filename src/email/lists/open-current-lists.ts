import { setTimeout as delay } from 'node:timers/promises';
import { runInSlices } from '#concurrency';
import { addFetchedLists, type DomainLists, loadDomainLists } from './domain-lists.ts';
import { FetchedList } from './fetched-list.ts';
import { OperatorList } from './operator-list.ts';
import { deleteOtherCopies, getErrorMessage, loadListStatus, saveListStatus } from './stored-lists.ts';
import type { FetchList, ListStatus, LogLists } from './stored-lists.ts';

export interface CurrentListsOptions {
  /** The folder whose folder `lists` has the copies of fetched lists and the status. */
  dataDir: string;
  /** The addresses of lists of disposable domains. */
  urls: readonly string[];
  /** The file of domains that are never disposable; null if there is none. */
  allowedFile: string | null;
  /** The file of domains that are always disposable; null if there is none. */
  blockedFile: string | null;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: LogLists;
  /** The time between two refreshes of a fetched list. */
  intervalMs?: number;
  /** The time between a fetch that failed and the next one. */
  retryMs?: number;
  /** The time between two checks for files that another process changed. */
  checkMs?: number;
}

const DAY_MS = 86_400_000;
const RETRY_MS = 15 * 60 * 1000;
const CHECK_MS = 1000;
/** A timer with a longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Names per slice of a count: a few milliseconds. */
const SLICE = 1000;

/**
 * Opens the bundled lists, the saved copies of fetched lists and the operator's own lists, and keeps them
 * current. Rejects with an `OperatorListError` if a list of the operator is bad.
 */
export async function openCurrentLists(options: CurrentListsOptions): Promise<CurrentLists> {
  const current = new CurrentLists(options);
  await current.open();
  return current;
}

/**
 * Loads the lists as the service that runs with this folder last used them, for another process. Changes
 * nothing. Rejects with an `OperatorListError` as `openCurrentLists` does.
 */
export async function loadSavedLists(dataDir: string, now: () => number): Promise<DomainLists> {
  const saved = (await loadListStatus(dataDir)) ?? [];
  const find = (wanted: ListStatus['kind']) => saved.filter(({ kind }) => kind === wanted);
  const current = new CurrentLists({
    dataDir,
    urls: find('fetched').map(({ source }) => source),
    allowedFile: find('allowed')[0]?.source ?? null,
    blockedFile: find('blocked')[0]?.source ?? null,
    now,
    log: () => {},
  });
  await current.load();
  return current.lists;
}

/** The lists of domains of a service, kept current. */
export class CurrentLists {
  readonly #bundled = loadDomainLists();
  /** The graded members and `operator` are replaced when a list changes. */
  readonly lists: DomainLists = { ...this.#bundled };
  readonly #options: CurrentListsOptions;
  readonly #fetched: readonly FetchedList[];
  readonly #allowed: OperatorList | null;
  readonly #blocked: OperatorList | null;
  readonly #closing = new AbortController();
  readonly #repeated: Promise<void>[] = [];
  #saving: Promise<void> = Promise.resolve();

  constructor(options: CurrentListsOptions) {
    const { urls, dataDir, allowedFile, blockedFile, now, log } = options;
    this.#options = options;
    this.#fetched = urls.map((url) => new FetchedList({ url, dataDir, lists: this.lists, now, log }));
    this.#allowed =
      allowedFile === null ? null : new OperatorList({ kind: 'allowed', path: allowedFile, now, log });
    this.#blocked =
      blockedFile === null ? null : new OperatorList({ kind: 'blocked', path: blockedFile, now, log });
  }

  /** Loads all lists, and deletes the copies of others. Rejects with an `OperatorListError`. */
  async open(): Promise<void> {
    await this.#deleteOtherCopies();
    await this.load();
  }

  /** Loads all lists. Rejects with an `OperatorListError`. */
  async load(): Promise<void> {
    const saved = (await loadListStatus(this.#options.dataDir)) ?? [];
    for (const list of this.#fetched) {
      const status = saved.find(({ kind, source }) => kind === 'fetched' && source === list.url);
      await list.load(status?.refresh ?? null);
      list.suspected = status?.suspected ?? null;
    }
    await this.#allowed?.load();
    await this.#blocked?.load();
    this.#apply();
  }

  /**
   * Begins to refresh: fetches each list immediately if its copy is missing or a day old, and then daily;
   * checks files for changes.
   */
  start(fetchList: FetchList): void {
    const { checkMs = CHECK_MS } = this.#options;
    this.#saveStatus();
    for (const list of this.#fetched)
      this.#repeated.push(this.#repeat(this.#computeDelayMs(list), () => this.#refresh(list, fetchList)));
    this.#repeated.push(this.#repeat(checkMs, () => this.#checkFiles(checkMs)));
  }

  /** Returns the status of each list: the bundled one, the fetched ones, the operator's own. */
  getStatus(): ListStatus[] {
    const { disposable, suspected } = this.#bundled;
    const bundled: ListStatus = {
      kind: 'bundled',
      source: '',
      entries: disposable.size + suspected.size,
      suspected: suspected.size,
      updatedAtMs: null,
      dropped: null,
      refresh: null,
      offered: null,
    };
    const others = [...this.#fetched, this.#allowed, this.#blocked];
    return [bundled, ...others.filter((list) => list !== null).map(({ status }) => status)];
  }

  /** Uses the list that a URL offers. Resolves to false if it offers none. */
  async accept(url: string): Promise<boolean> {
    const isAccepted = (await this.#fetched.find((list) => list.url === url)?.accept()) ?? false;
    if (isAccepted) this.#change();
    await this.#saving;
    return isAccepted;
  }

  /** Cancels pending fetches and waits for their end. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#repeated);
    await this.#saving;
  }

  /**
   * Runs `task` after `delayMs`, and again after the milliseconds that it resolves to, until this is closed.
   * The timers do not keep the process alive.
   */
  async #repeat(delayMs: number, task: () => Promise<number>): Promise<void> {
    const options = { signal: this.#closing.signal, ref: false };
    for (let ms = delayMs; !options.signal.aborted;) {
      await delay(Math.min(ms, MAX_TIMER_MS), undefined, options).catch(() => {});
      if (!options.signal.aborted) ms = await task();
    }
  }

  async #deleteOtherCopies(): Promise<void> {
    const { dataDir, urls, log } = this.#options;
    try {
      const files = await deleteOtherCopies(dataDir, urls);
      if (files > 0) log('info', 'copies of lists that are no longer configured were deleted', { files });
    } catch (error) {
      log('warn', 'copies of lists that are no longer configured were not deleted', {
        reason: getErrorMessage(error),
      });
    }
  }

  async #refresh(list: FetchedList, fetchList: FetchList): Promise<number> {
    const { intervalMs = DAY_MS, retryMs = RETRY_MS } = this.#options;
    const outcome = await list.refresh(fetchList, this.#closing.signal);
    this.#change();
    return outcome === 'failed' ? Math.min(retryMs, intervalMs) : intervalMs;
  }

  /** Applies what the operator changed or accepted in another process. */
  async #checkFiles(checkMs: number): Promise<number> {
    const fetched = this.#fetched.map((list) => list.adopt());
    const operator = [this.#allowed, this.#blocked].map((list) => list?.check());
    if ((await Promise.all([...fetched, ...operator])).includes(true)) this.#change();
    return checkMs;
  }

  #change(): void {
    this.#apply();
    this.#saveStatus();
  }

  /** Replaces changed members in one assignment each, so that a check sees either the old or the new. */
  #apply(): void {
    const fetched = this.#fetched.map(({ url, names }) => ({ url, names }));
    Object.assign(this.lists, addFetchedLists(this.#bundled, fetched));
    if (this.#allowed === null && this.#blocked === null) return;
    const { operator } = this.#bundled;
    this.lists.operator = {
      allowed: this.#allowed?.names ?? operator.allowed,
      blocked: this.#blocked?.names ?? operator.blocked,
    };
  }

  #saveStatus(): void {
    const { dataDir, log } = this.#options;
    const save = async (): Promise<void> => {
      try {
        for (const list of this.#fetched) await this.#countSuspected(list);
        await saveListStatus(dataDir, this.getStatus());
      } catch (error) {
        log('warn', 'the status of the lists was not saved', { reason: getErrorMessage(error) });
      }
    };
    this.#saving = this.#saving.then(save);
  }

  /** Counts the names of a list that no other source confirms. Works in slices: each name takes searches. */
  async #countSuspected(list: FetchedList): Promise<void> {
    const { disposable } = this.lists;
    const left = list.names.values();
    let count = 0;
    await runInSlices(() => {
      for (let at = 0; at < SLICE; at++) {
        const { done, value } = left.next();
        if (done) return true;
        if (!disposable.has(value)) count++;
      }
      return false;
    });
    list.suspected = count;
  }

  #computeDelayMs({ status: { refresh } }: FetchedList): number {
    const { intervalMs = DAY_MS, now } = this.#options;
    const dueAtMs = refresh === null ? 0 : refresh.atMs + intervalMs;
    return Math.min(intervalMs, Math.max(0, dueAtMs - now()));
  }
}
