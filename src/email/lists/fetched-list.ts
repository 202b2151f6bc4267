import type { DomainLists } from './domain-lists.ts';
import { isLargeChange, ListRefusal, MAX_LIST_BYTES, parseFetchedList } from './parse-list.ts';
import { acceptCopy, type CopyHead, type CopyKind, deleteCopy, findCopy } from './stored-lists.ts';
import { findCopyIdentity, getErrorMessage, type LastRefresh, type ListStatus } from './stored-lists.ts';
import { type FetchList, type FetchResult, type LogLists, saveCopy } from './stored-lists.ts';
import type { RefreshOutcome } from './stored-lists.ts';

export interface FetchedListOptions {
  url: string;
  /** The folder whose folder `lists` has the copies. */
  dataDir: string;
  /** Providers that no list may name. */
  lists: DomainLists;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: LogLists;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** One list of disposable domains: the names in use, and what replaces them. */
export class FetchedList {
  /** The number of names that no other source confirms; null until it is counted. */
  suspected: number | null = null;
  readonly #options: FetchedListOptions;
  #names = NO_NAMES;
  #used: CopyHead | null = null;
  #offered: CopyHead | null = null;
  #identity: string | null = null;
  #refresh: LastRefresh | null = null;
  /** The last task that changes this list. Each waits for the one before. */
  #task: Promise<unknown> = Promise.resolve();

  constructor(options: FetchedListOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#options.url;
  }

  /** The names in use. The set itself never changes. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  get status(): ListStatus {
    const { entries = 0, fetchedAtMs = null, dropped = null } = this.#used ?? {};
    return {
      kind: 'fetched',
      source: this.url,
      entries,
      suspected: this.suspected,
      updatedAtMs: fetchedAtMs,
      dropped,
      refresh: this.#refresh,
      offered: this.#offered && {
        entries: this.#offered.entries,
        fetchedAtMs: this.#offered.fetchedAtMs,
      },
    };
  }

  /** Loads the copies of an earlier process, whose last refresh this was. */
  async load(refresh: LastRefresh | null): Promise<void> {
    await this.#loadUsed();
    // Without the list, the last refresh says nothing: the next one is due.
    if (this.#used !== null) this.#refresh = refresh;
    this.#offered = (await findCopy(this.#options.dataDir, 'offered', this.url))?.head ?? null;
  }

  /** Fetches the list, and uses it if it can be trusted. Never rejects. */
  async refresh(fetchList: FetchList, signal: AbortSignal): Promise<RefreshOutcome> {
    const { log, now } = this.#options;
    // A list that is offered is the newer copy.
    const etag = (this.#offered ?? this.#used)?.etag ?? null;
    let outcome: RefreshOutcome;
    let reason: string | null = null;
    try {
      const fetched = await fetchList(this.url, { etag, maxBytes: MAX_LIST_BYTES }, signal);
      outcome = await this.#enqueue(() => this.#weigh(fetched));
    } catch (error) {
      if (signal.aborted) return 'failed';
      outcome = error instanceof ListRefusal ? 'refused' : 'failed';
      reason = getErrorMessage(error);
      const event = outcome === 'refused' ? 'refused' : 'not fetched';
      const message = `a list of disposable domains was ${event}; the one before stays in use`;
      log('warn', message, { url: this.url, reason });
    }
    this.#refresh = { atMs: now(), outcome, reason };
    return outcome;
  }

  /** Uses the offered list. Resolves to false if nothing is offered. */
  accept(): Promise<boolean> {
    return this.#enqueue(async () => {
      const isAccepted = await acceptCopy(this.#options.dataDir, this.url);
      await this.#adopt();
      return isAccepted;
    });
  }

  /** Uses the copy that another process accepted. Resolves to true if the names changed. */
  adopt(): Promise<boolean> {
    return this.#enqueue(() => this.#adopt());
  }

  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#task.then(task, task);
    this.#task = next;
    return next;
  }

  /** Uses a fetched list, offers it to the operator, or throws a ListRefusal. */
  async #weigh(fetched: FetchResult): Promise<RefreshOutcome> {
    // The operator may have accepted the offer in the meantime.
    await this.#adopt();
    if (fetched.status === 'not_modified') return this.#offered ? this.#offer(this.#offered) : 'unchanged';
    if (fetched.text.length > MAX_LIST_BYTES) throw new ListRefusal(`it is over ${MAX_LIST_BYTES} bytes`);
    const { names, dropped } = await parseFetchedList(fetched.text, this.#options.lists);
    const fetchedAtMs = this.#options.now();
    const head = { url: this.url, etag: fetched.etag, fetchedAtMs, entries: names.size, dropped };
    if (isLargeChange(this.#names.size, names.size)) {
      const isSaved = (await this.#save('offered', head, names)) !== null;
      // Without the copy there is nothing to accept, and the next refresh must fetch it again.
      this.#offered = isSaved ? head : null;
      return this.#offer(head);
    }
    await this.#use(head, names);
    return 'replaced';
  }

  async #use(head: CopyHead, names: ReadonlySet<string>): Promise<void> {
    const { log } = this.#options;
    this.#names = names;
    this.#used = head;
    const { entries, dropped } = head;
    log('info', 'a list of disposable domains was replaced', { url: this.url, entries, dropped });
    this.#identity = (await this.#save('used', head, names)) ?? this.#identity;
    await this.#withdrawOffer();
  }

  async #withdrawOffer(): Promise<void> {
    this.#offered = null;
    await deleteCopy(this.#options.dataDir, 'offered', this.url).catch(() => {});
  }

  /** Reminds the operator of the offered list. */
  #offer({ entries }: CopyHead): RefreshOutcome {
    this.#options.log(
      'warn',
      'a list of disposable domains changed by over 30 %; «npm run admin -- lists accept» uses it',
      {
        url: this.url,
        entries,
        entriesBefore: this.#names.size,
      },
    );
    return 'offered';
  }

  /** Saves a copy; null if the folder is not writable. */
  async #save(kind: CopyKind, head: CopyHead, names: ReadonlySet<string>): Promise<string | null> {
    const { dataDir, log } = this.#options;
    try {
      return await saveCopy(dataDir, kind, head, names);
    } catch (error) {
      log('warn', 'a list of disposable domains was not saved; it is lost when the process ends', {
        url: this.url,
        reason: getErrorMessage(error),
      });
      return null;
    }
  }

  /** Loads the copy in use if it is not the one that this process saved or loaded last. */
  async #adopt(): Promise<boolean> {
    const { dataDir, log, now } = this.#options;
    const identity = await findCopyIdentity(dataDir, 'used', this.url).catch(() => null);
    if (identity === null || identity === this.#identity) return false;
    this.#identity = identity;
    const before = this.#names;
    await this.#loadUsed();
    if (this.#names === before) return false;
    // A refresh at the same moment may have saved the accepted list as an offer again.
    await this.#withdrawOffer();
    this.#refresh = { atMs: now(), outcome: 'accepted', reason: null };
    log('info', 'the operator accepted a list of disposable domains', {
      url: this.url,
      entries: this.#names.size,
    });
    return true;
  }

  async #loadUsed(): Promise<void> {
    const copy = await findCopy(this.#options.dataDir, 'used', this.url);
    if (copy === null) return;
    this.#identity = copy.identity;
    this.#names = copy.names;
    this.#used = copy.head;
  }
}
