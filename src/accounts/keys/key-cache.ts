import { LRUCache } from 'lru-cache';
import type { KeyWatch } from './api-key.ts';
import type { Caller } from './caller.ts';

/** A live key is queried again after this time without a confirmation: a revocation applies within 5 s. */
const FRESH_MS = 4_000;
/** A confirmed key is queried again after this time. */
const CONFIRMED_MS = 60_000;
/** While the database fails, keys that were live stay valid for this long. */
const STALE_MS = 60_000;
const UNKNOWN_MS = 5_000;
const CACHED_KEYS = 50_000;

/** The result of a query: a live key, or null for any other text. */
export interface Entry {
  caller: Caller | null;
  expiresAtMs: number;
  queriedAtMs: number;
  /** The watch during the query. */
  watch: KeyWatch;
  /** True if the key's account was changed after the query. */
  isForgotten: boolean;
}

/** A cache of 50,000 keys, by digest. */
export class KeyCache {
  readonly #live: LRUCache<string, Entry>;
  readonly #unknown = new LRUCache<string, Entry>(limitTo(CACHED_KEYS));
  readonly #byAccount = new Map<string, Set<Entry>>();
  /** The number of changes: a row that was queried before a change may be older than the change. */
  changes = 0;

  constructor(maxEntries = CACHED_KEYS) {
    this.#live = new LRUCache({
      ...limitTo(maxEntries),
      dispose: (entry) => this.#removeFromAccount(entry),
    });
  }

  get(secretHash: string): Entry | undefined {
    return this.#live.get(secretHash) ?? this.#unknown.get(secretHash);
  }

  set(secretHash: string, entry: Entry): void {
    const { caller } = entry;
    if (!caller) {
      this.#live.delete(secretHash);
      this.#unknown.set(secretHash, entry);
      return;
    }
    this.#unknown.delete(secretHash);
    this.#live.set(secretHash, entry);
    const entries = this.#byAccount.get(caller.accountId);
    if (entries) entries.add(entry);
    else this.#byAccount.set(caller.accountId, new Set([entry]));
  }

  /**
   * Removes the keys of an account, or of all accounts if null. Other keys stay: if the database fails now,
   * they must keep working. Unknown keys are removed, because one of them may have been created.
   */
  forget(accountId: string | null): void {
    this.changes += 1;
    this.#unknown.clear();
    const accounts = accountId === null ? [...this.#byAccount.keys()] : [accountId];
    for (const id of accounts) {
      for (const entry of this.#byAccount.get(id) ?? []) entry.isForgotten = true;
      this.#byAccount.delete(id);
    }
    if (accountId === null) this.#live.clear();
  }

  #removeFromAccount(entry: Entry): void {
    const accountId = entry.caller?.accountId ?? '';
    const entries = this.#byAccount.get(accountId);
    entries?.delete(entry);
    if (entries?.size === 0) this.#byAccount.delete(accountId);
  }
}

/** Returns the limit of a cache as a size: `max` fills arrays of that length at the start. */
function limitTo(maxSize: number) {
  return { maxSize, sizeCalculation: () => 1 };
}

/** Returns whether the result may be used without a query. */
export function isFresh({ caller, queriedAtMs, watch, isForgotten }: Entry, nowMs: number): boolean {
  if (isForgotten || watch.isEnded) return false;
  if (!caller) return nowMs < queriedAtMs + UNKNOWN_MS;
  const freshUntilMs = Math.max(queriedAtMs, watch.confirmedAtMs) + FRESH_MS;
  return nowMs < freshUntilMs && nowMs < queriedAtMs + CONFIRMED_MS;
}

/** Returns whether the key may be used although a query has failed. */
export function isUsable({ caller, queriedAtMs, watch, isForgotten }: Entry, nowMs: number): boolean {
  return caller !== null && !isForgotten && nowMs < Math.max(queriedAtMs, watch.confirmedAtMs) + STALE_MS;
}
