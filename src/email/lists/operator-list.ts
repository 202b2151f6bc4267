import { open } from 'node:fs/promises';
import { MAX_LIST_BYTES, OperatorListError, parseOperatorList } from './parse-list.ts';
import { findIdentity, getErrorMessage, getIdentity } from './stored-lists.ts';
import type { LastRefresh, ListStatus, LogLists } from './stored-lists.ts';

export interface OperatorListOptions {
  kind: 'allowed' | 'blocked';
  path: string;
  now: () => number;
  log: LogLists;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** A file with domains of the operator. A change is read when it is complete; a bad one is not used. */
export class OperatorList {
  readonly #options: OperatorListOptions;
  #names = NO_NAMES;
  #updatedAtMs: number | null = null;
  #refresh: LastRefresh | null = null;
  /** The file that was read last, also if it was bad. */
  #identity: string | null = null;
  /** The file as the last check saw it. */
  #seen: string | null = null;

  constructor(options: OperatorListOptions) {
    this.#options = options;
  }

  /** The names in use. The set itself never changes. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  get status(): ListStatus {
    return {
      kind: this.#options.kind,
      source: this.#options.path,
      entries: this.#names.size,
      suspected: null,
      updatedAtMs: this.#updatedAtMs,
      dropped: null,
      refresh: this.#refresh,
      offered: null,
    };
  }

  /** Reads the file. Rejects with an `OperatorListError` that names the file and the line. */
  async load(): Promise<void> {
    const { path, now } = this.#options;
    try {
      const { names, identity, changedAtMs } = await loadList(path);
      this.#names = names;
      this.#identity = identity;
      this.#seen = identity;
      this.#updatedAtMs = changedAtMs;
      this.#refresh = { atMs: now(), outcome: 'replaced', reason: null };
    } catch (error) {
      const reason = error instanceof OperatorListError ? error.message : describeFailure(error);
      throw new OperatorListError(`${path}, ${reason}`, { cause: error });
    }
  }

  /**
   * Reads the file if it has changed since the last read and not since the last check: an editor may still be
   * writing it. Resolves to true if the status changed. Never rejects.
   */
  async check(): Promise<boolean> {
    const { path, log, now } = this.#options;
    const identity = await findIdentity(path).catch(getErrorMessage);
    const isSettled = identity === this.#seen;
    this.#seen = identity;
    if (!isSettled || identity === this.#identity) return false;
    this.#identity = identity;
    try {
      await this.load();
      log('info', 'a list of the operator was read again', { path, entries: this.#names.size });
    } catch (error) {
      const reason = getErrorMessage(error);
      this.#refresh = { atMs: now(), outcome: 'refused', reason };
      log('warn', 'a list of the operator is not used; the one before stays in use', { reason });
    }
    return true;
  }
}

async function loadList(
  path: string,
): Promise<{ names: ReadonlySet<string>; identity: string; changedAtMs: number }> {
  const file = await open(path);
  try {
    const { mtimeMs, size } = await file.stat();
    const identity = await getIdentity(file);
    if (size > MAX_LIST_BYTES) throw new OperatorListError(`it is over ${MAX_LIST_BYTES} bytes`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile());
    return { names: await parseOperatorList(text), identity, changedAtMs: mtimeMs };
  } finally {
    await file.close();
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof TypeError) return 'it is not UTF-8';
  return `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? getErrorMessage(error)}`;
}
