import type { DomainLists } from './domain-lists.ts';
import { isLargeChange, ListRefusal, MAX_LIST_BYTES, parseFetchedList } from './parse-fetched-list.ts';
import { findSavedList, saveList } from './saved-list.ts';

/** A list as text, or `not_modified` if the copy with the sent ETag is still current. */
export type FetchedList = { status: 'fresh'; text: string; etag: string | null } | { status: 'not_modified' };

/** Fetches a list. Rejects if the complete list cannot be fetched within `maxBytes`. */
export type FetchList = (
  url: string,
  options: { etag: string | null; maxBytes: number },
  signal?: AbortSignal,
) => Promise<FetchedList>;

/** The dependencies and settings of a refresh. */
export interface ListRefreshOptions {
  /** The address of a list of disposable domains, one per line. */
  url: string;
  /** The folder of the last accepted list. */
  dataDir: string;
  fetchList: FetchList;
  /** Its `disposable` is replaced by the bundled list and the fetched one together. */
  lists: DomainLists;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: (level: 'info' | 'warn', message: string, facts: Record<string, unknown>) => void;
  intervalMs: number;
}

/** The result of a refresh. `refused`: the list cannot be trusted; `failed`: it could not be fetched. */
export type RefreshOutcome = 'replaced' | 'unchanged' | 'refused' | 'failed';

/** A periodic refresh. */
export interface ListRefresh {
  /** Begins to fetch: at once if the saved copy is missing or `intervalMs` old, and then periodically. */
  start(): void;
  /** Fetches now, or waits for the pending fetch. Never rejects. */
  refresh(): Promise<RefreshOutcome>;
  /** Stops the refresh: cancels a pending fetch and waits for its end. */
  close(): Promise<void>;
}

const RETRY_MS = 15 * 60 * 1000;
/** A timer with a longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Keeps the list of disposable domains current: loads the saved copy and, after `start`, fetches `url` every
 * `intervalMs`.
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
  return {
    start: () => schedule(source.computeDelayMs()),
    refresh: () => source.refresh(),
    async close() {
      clearTimeout(timer);
      await source.close();
    },
  };
}

/** The current list and its source. */
class ListSource {
  readonly #options: ListRefreshOptions;
  readonly #bundled: ReadonlySet<string>;
  readonly #closing = new AbortController();
  #pending: Promise<RefreshOutcome> | null = null;
  #etag: string | null = null;
  #entries = 0;
  #checkedAt = 0;

  constructor(options: ListRefreshOptions) {
    this.#options = options;
    this.#bundled = options.lists.disposable;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Computes the milliseconds until the current list is `intervalMs` old. */
  computeDelayMs(): number {
    const { intervalMs, now } = this.#options;
    return Math.min(intervalMs, Math.max(0, this.#checkedAt + intervalMs - now()));
  }

  /** Loads the saved list, unless it came from another address or would now be refused. */
  async loadSaved(): Promise<void> {
    const { dataDir, lists, log, url } = this.#options;
    const saved = await findSavedList(dataDir);
    if (saved === null || saved.url !== url) return;
    try {
      const { names } = await parseFetchedList(saved.text, lists);
      this.#use(names, saved.etag);
      this.#checkedAt = saved.checkedAt;
    } catch (error) {
      log('warn', 'the saved list of disposable domains was refused', { reason: getErrorMessage(error) });
    }
  }

  refresh(): Promise<RefreshOutcome> {
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pending;
  }

  async #fetch(): Promise<RefreshOutcome> {
    const { log } = this.#options;
    try {
      return await this.#fetchAndUse();
    } catch (error) {
      if (this.isClosed) return 'failed';
      const refused = error instanceof ListRefusal;
      const message = `the list of disposable domains was ${refused ? 'refused' : 'not fetched'}; the current one stays in use`;
      log('warn', message, { reason: getErrorMessage(error) });
      return refused ? 'refused' : 'failed';
    }
  }

  async #fetchAndUse(): Promise<RefreshOutcome> {
    const { dataDir, fetchList, lists, log, now, url } = this.#options;
    const fetched = await fetchList(
      url,
      { etag: this.#etag, maxBytes: MAX_LIST_BYTES },
      this.#closing.signal,
    );
    const checkedAt = now();
    if (fetched.status === 'not_modified') {
      this.#checkedAt = checkedAt;
      return 'unchanged';
    }
    if (fetched.text.length > MAX_LIST_BYTES) throw new ListRefusal(`it is over ${MAX_LIST_BYTES} bytes`);
    const { names, dropped } = await parseFetchedList(fetched.text, lists);
    if (isLargeChange(this.#entries, names.size))
      throw new ListRefusal(`it has ${names.size} entries; the current list has ${this.#entries}`);
    this.#use(names, fetched.etag);
    this.#checkedAt = checkedAt;
    log('info', 'the list of disposable domains was replaced', { entries: names.size, dropped });
    try {
      await saveList(dataDir, { url, etag: fetched.etag, checkedAt, text: `${[...names].join('\n')}\n` });
    } catch (error) {
      log('warn', 'the list of disposable domains was not saved; it is used until the process ends', {
        reason: getErrorMessage(error),
      });
    }
    return 'replaced';
  }

  /** Replaces the list in one assignment, so that a check sees either the old set or the new one. */
  #use(names: ReadonlySet<string>, etag: string | null): void {
    this.#options.lists.disposable = new Set([...this.#bundled, ...names]);
    this.#etag = etag;
    this.#entries = names.size;
  }
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
