import { LRUCache } from 'lru-cache';
import { ApiError } from '#errors';
import {
  type Caller,
  ClientNetworks,
  type KeyGrant,
  type KeyStore,
  type KeyWatch,
  hashKeySecret,
  isKeySecret,
  isLiveKey,
} from './api-key.ts';
import { createRandomText } from '../random-text.ts';
import { type Plans, findPlan } from '../account.ts';

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

const LIFETIME_MS = 10_000;
const MAX_TICKETS = 10_000;
const PREFIX = 'ua_ticket_';
const SHAPE = /^ua_ticket_[0-9A-Za-z]{40}$/;

/** Creates a store of one-time tickets, each for a value and 10 s. */
function createTickets<T extends object>(now: () => number) {
  const tickets = new LRUCache<string, { value: T; expiresAtMs: number }>({ max: MAX_TICKETS });
  return {
    issue(value: T): string {
      const ticket = PREFIX + createRandomText(40);
      tickets.set(ticket, { value, expiresAtMs: now() + LIFETIME_MS });
      return ticket;
    },
    /** Returns the ticket's value one time; null if it was redeemed, has expired or is no ticket. */
    redeem(ticket: string): T | null {
      if (!SHAPE.test(ticket)) return null;
      const issued = tickets.get(ticket);
      tickets.delete(ticket);
      return issued && now() < issued.expiresAtMs ? issued.value : null;
    },
  };
}

export interface KeyAuthenticator {
  /**
   * Returns the caller, null for anything that is not a live key. Rejects with ApiError `unavailable` if the
   * key is not cached and the database fails.
   */
  authenticate: (secret: string) => Promise<Caller | null>;
  /** Returns the caller of a key that was used recently; null for any other text. */
  findCaller: (secret: string) => Caller | null;
  /** Returns the account of a key that was used recently; null if that takes a digest or a query to find. */
  findAccountId: (secret: string) => string | null;
  /**
   * Returns a text that authenticates one time, within 10 s, as this key without its client ranges; null if
   * the key is not live.
   */
  issueTicket: (keyId: string) => Promise<string | null>;
  /** Removes the keys of an account that has changed from the cache, or all keys if null. */
  forget: (accountId: string | null) => void;
}

interface KeyAuthenticatorOptions {
  store: Pick<KeyStore, 'findKeyBySecretHash' | 'findKey'>;
  plans: Plans;
  now: () => number;
  /** Returns the storage's watch over changes by other processes; without one, nothing is confirmed. */
  getWatch?: () => KeyWatch;
  /** Called for each key that is looked for in the cache. */
  onCacheRead?: ((result: 'hit' | 'miss') => void) | undefined;
  /** Called once for each plan that an account has and that is no longer configured. */
  onUnknownPlan?: (plan: string) => void;
}

const RECENT_KEYS = 1_000;

const UNWATCHED: KeyWatch = { confirmedAtMs: 0, isEnded: false };

/** Creates an authenticator with a cache of 50,000 keys in front of the store. */
export function createKeyAuthenticator(options: KeyAuthenticatorOptions): KeyAuthenticator {
  const { store, plans, now, onCacheRead = () => {} } = options;
  const cache = new KeyCache();
  // By the secret itself: its checksum and digest take most of the time of a hit. Few, as these are secrets.
  const recents = new LRUCache<string, Entry>({ max: RECENT_KEYS });
  const queries = createQueries(options, cache);
  const tickets = createTickets<Caller>(now);

  function findCaller(secret: string): Caller | null {
    const nowMs = now();
    const recent = recents.get(secret);
    return recent && isFresh(recent, nowMs) ? getCaller(recent, nowMs) : null;
  }

  return {
    findCaller(secret) {
      const caller = findCaller(secret);
      if (caller !== null) onCacheRead('hit');
      return caller;
    },
    async authenticate(secret) {
      const nowMs = now();
      const recent = findCaller(secret);
      if (recent !== null) {
        onCacheRead('hit');
        return recent;
      }
      if (!isKeySecret(secret)) return tickets.redeem(secret);
      const secretHash = hashKeySecret(secret);
      const entry = cache.get(secretHash);
      const isHit = entry !== undefined && isFresh(entry, nowMs);
      onCacheRead(isHit ? 'hit' : 'miss');
      if (!isHit) return queries.find(secretHash, entry);
      if (entry.caller) recents.set(secret, entry);
      return getCaller(entry, nowMs);
    },
    findAccountId: (secret) => recents.peek(secret)?.caller?.accountId ?? null,
    async issueTicket(keyId) {
      const caller = getCaller(toEntry(await store.findKey(keyId), plans, now(), UNWATCHED), now());
      return caller && tickets.issue({ ...caller, clientNetworks: null });
    },
    forget(accountId) {
      queries.forgetAll();
      cache.forget(accountId);
      if (accountId === null) recents.clear();
    },
  };
}

/** Creates the queries of the store, whose results are added to `entries`. */
function createQueries(
  { store, plans, now, getWatch = () => UNWATCHED, onUnknownPlan = () => {} }: KeyAuthenticatorOptions,
  cache: KeyCache,
) {
  const running = new Map<string, Promise<Caller | null>>();
  const reportUnknownPlan = createPlanReport(plans, onUnknownPlan);

  async function query(secretHash: string, cached: Entry | undefined): Promise<Caller | null> {
    const changesBefore = cache.changes;
    const watch = getWatch();
    const queriedAtMs = now();
    try {
      const grant = await store.findKeyBySecretHash(secretHash);
      if (grant) reportUnknownPlan(grant.plan);
      const entry = toEntry(grant, plans, queriedAtMs, watch);
      // A row that was queried before a change notice may be older than the change.
      if (changesBefore === cache.changes) cache.set(secretHash, entry);
      return getCaller(entry, now());
    } catch (error) {
      if (cached && error instanceof ApiError && isUsable(cached, now())) return getCaller(cached, now());
      throw error;
    }
  }

  return {
    /** Queries the key; concurrent calls with the same key share one query. */
    find(secretHash: string, cached: Entry | undefined): Promise<Caller | null> {
      const shared = running.get(secretHash);
      if (shared) return shared;
      const started = query(secretHash, cached).finally(() => {
        if (running.get(secretHash) === started) running.delete(secretHash);
      });
      running.set(secretHash, started);
      return started;
    },
    /** Makes running queries not shared. They are not cached either: the cache counts changes. */
    forgetAll(): void {
      running.clear();
    },
  };
}

function createPlanReport(plans: Plans, onUnknownPlan: (plan: string) => void): (plan: string) => void {
  const reported = new Set<string>();
  return (plan) => {
    if (plans.has(plan) || reported.has(plan)) return;
    reported.add(plan);
    onUnknownPlan(plan);
  };
}

function toEntry(grant: KeyGrant | null, plans: Plans, queriedAtMs: number, watch: KeyWatch): Entry {
  const queried = { queriedAtMs, watch, isForgotten: false };
  if (!grant || grant.disabled || !isLiveKey(grant.key, queriedAtMs))
    return { caller: null, expiresAtMs: 0, ...queried };
  const { key, plan, unproven: isUnproven } = grant;
  const { limitPerMinute, slots, weight, monthlyQuota } = findPlan(plans, plan);
  return {
    caller: {
      keyId: key.id,
      accountId: key.accountId,
      limitId: key.limitId,
      plan,
      limitPerMinute,
      slots,
      weight,
      isUnproven,
      monthlyQuota,
      operations: key.operations,
      clientNetworks: key.clientCidrs && new ClientNetworks(key.clientCidrs),
    },
    expiresAtMs: key.expiresAtMs ?? Infinity,
    ...queried,
  };
}

function getCaller(entry: Entry, nowMs: number): Caller | null {
  return entry.caller && nowMs < entry.expiresAtMs ? entry.caller : null;
}
