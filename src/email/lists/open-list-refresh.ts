import type { DomainLists } from './domain-lists.ts';
import { ListRefusal, MAX_LIST_BYTES, readFetchedList } from './parse-fetched-list.ts';
import { findSavedList, saveList } from './saved-list.ts';

/** A list as text, or the news that the copy at hand is still right. */
export type FetchedList = { status: 'fresh'; text: string; etag: string | null } | { status: 'not_modified' };

/** Fetches a list through the guard; rejects where it cannot be had whole, within `maxBytes`. */
export type FetchList = (
  url: string,
  options: { etag: string | null; maxBytes: number },
  signal?: AbortSignal,
) => Promise<FetchedList>;

/** What a refresh needs. */
export interface ListRefreshOptions {
  /** Where a list of disposable domains is, one a line. */
  url: string;
  /** Folder for the last good list. */
  dataDir: string;
  fetchList: FetchList;
  /** Its `disposable` is replaced as a whole: what is bundled and what was fetched. */
  lists: DomainLists;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: (level: 'info' | 'warn', message: string, facts: Record<string, unknown>) => void;
  intervalMs: number;
}

/** How a refresh ended. */
export type RefreshOutcome = 'replaced' | 'unchanged' | 'refused' | 'failed';

/** A running refresh. */
export interface ListRefresh {
  /** Fetches now, or joins the fetch under way. Never rejects. */
  refresh(): Promise<RefreshOutcome>;
  /** Ends it: cancels a fetch under way and waits for it. */
  close(): Promise<void>;
}

const RETRY_MS = 15 * 60 * 1000;
/** Longer delays than this make a timer fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Keeps the list of disposable domains fresh from `url`: takes up the last good copy, then fetches every `intervalMs`.
 * A list that cannot be trusted is refused whole, and the one in use stays.
 */
export async function openListRefresh(options: ListRefreshOptions): Promise<ListRefresh> {
  const source = new ListSource(options);
  await source.loadSaved();
  let timer: NodeJS.Timeout | undefined;
  const schedule = (delayMs: number): void => {
    if (source.isClosed) return;
    timer = setTimeout(() => void run(), Math.min(delayMs, MAX_TIMER_MS));
    timer.unref();
  };
  const run = async (): Promise<void> => {
    const outcome = await source.refresh();
    schedule(outcome === 'failed' ? Math.min(RETRY_MS, options.intervalMs) : options.intervalMs);
  };
  schedule(source.readDelayMs());
  return {
    refresh: () => source.refresh(),
    async close() {
      clearTimeout(timer);
      await source.close();
    },
  };
}

/** The list in use and where it comes from. */
class ListSource {
  readonly #options: ListRefreshOptions;
  readonly #bundled: ReadonlySet<string>;
  readonly #ending = new AbortController();
  #underWay: Promise<RefreshOutcome> | null = null;
  #etag: string | null = null;
  #entries = 0;
  #checkedAt = 0;

  constructor(options: ListRefreshOptions) {
    this.#options = options;
    this.#bundled = options.lists.disposable;
  }

  get isClosed(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Milliseconds until the list in use is `intervalMs` old. */
  readDelayMs(): number {
    const { intervalMs, now } = this.#options;
    return Math.min(intervalMs, Math.max(0, this.#checkedAt + intervalMs - now()));
  }

  /** Takes up the last good list, unless it is another address's or would be refused now. */
  async loadSaved(): Promise<void> {
    const { dataDir, lists, log, url } = this.#options;
    const saved = await findSavedList(dataDir);
    if (saved === null || saved.url !== url) return;
    try {
      this.#use(readFetchedList(saved.text, lists, 0), saved.etag);
      this.#checkedAt = saved.checkedAt;
    } catch (error) {
      log('warn', 'the saved list of disposable domains was refused', { reason: readMessage(error) });
    }
  }

  refresh(): Promise<RefreshOutcome> {
    this.#underWay ??= this.#fetch().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#underWay;
  }

  async #fetch(): Promise<RefreshOutcome> {
    const { log } = this.#options;
    try {
      return await this.#fetchAndUse();
    } catch (error) {
      if (this.isClosed) return 'failed';
      const refused = error instanceof ListRefusal;
      const what = `the list of disposable domains was ${refused ? 'refused' : 'not fetched'}; the one in use stays`;
      log('warn', what, { reason: readMessage(error) });
      return refused ? 'refused' : 'failed';
    }
  }

  async #fetchAndUse(): Promise<RefreshOutcome> {
    const { dataDir, fetchList, lists, log, now, url } = this.#options;
    const fetched = await fetchList(url, { etag: this.#etag, maxBytes: MAX_LIST_BYTES }, this.#ending.signal);
    const checkedAt = now();
    if (fetched.status === 'not_modified') {
      this.#checkedAt = checkedAt;
      return 'unchanged';
    }
    if (fetched.text.length > MAX_LIST_BYTES) throw new ListRefusal(`it is over ${MAX_LIST_BYTES} bytes`);
    const names = readFetchedList(fetched.text, lists, this.#entries);
    this.#use(names, fetched.etag);
    this.#checkedAt = checkedAt;
    log('info', 'the list of disposable domains was replaced', { entries: names.length });
    try {
      await saveList(dataDir, { url, etag: fetched.etag, checkedAt, text: `${names.join('\n')}\n` });
    } catch (error) {
      log('warn', 'the list of disposable domains was not saved; it holds until the end of the process', {
        reason: readMessage(error),
      });
    }
    return 'replaced';
  }

  /** One assignment swaps the list: a look-up sees either the old set or the new one. */
  #use(names: string[], etag: string | null): void {
    this.#options.lists.disposable = new Set([...this.#bundled, ...names]);
    this.#etag = etag;
    this.#entries = names.length;
  }
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
