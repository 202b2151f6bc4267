import { LRUCache } from 'lru-cache';
import { ApiError } from '#errors';
import { findPlan, type Plans } from '../plans.ts';
import { isLiveKey, type KeyGrant, type KeyStore, type KeyWatch } from './api-key.ts';
import type { Caller } from './caller.ts';
import { ClientNetworks } from './client-networks.ts';
import { type Entry, isFresh, isUsable, KeyCache } from './key-cache.ts';
import { hashKeySecret, isKeySecret } from './key-secret.ts';
import { createTickets } from './tickets.ts';

export interface KeyAuthenticator {
  /**
   * Returns the caller, null for anything that is not a live key; without a promise if the key is cached.
   * Throws ApiError `unavailable` if the key is not cached and the database fails.
   */
  authenticate: (secret: string) => Caller | null | Promise<Caller | null>;
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

export interface KeyAuthenticatorOptions {
  store: Pick<KeyStore, 'findKeyBySecretHash' | 'findKey'>;
  plans: Plans;
  now: () => number;
  /** Returns the storage's watch over changes by other processes; without one, nothing is confirmed. */
  getWatch?: () => KeyWatch;
  /** Called once for each plan that an account has and that is no longer configured. */
  onUnknownPlan?: (plan: string) => void;
}

const RECENT_KEYS = 1_000;

const UNWATCHED: KeyWatch = { confirmedAtMs: 0, isEnded: false };

/** Creates an authenticator with a cache of 50,000 keys in front of the store. */
export function createKeyAuthenticator(options: KeyAuthenticatorOptions): KeyAuthenticator {
  const { store, plans, now } = options;
  const cache = new KeyCache();
  // By the secret itself: its checksum and digest take most of the time of a hit. Few, as these are secrets.
  const recents = new LRUCache<string, Entry>({ max: RECENT_KEYS });
  const queries = createQueries(options, cache);
  const tickets = createTickets<Caller>(now);

  return {
    authenticate(secret) {
      const nowMs = now();
      const recent = recents.get(secret);
      if (recent && isFresh(recent, nowMs)) return getCaller(recent, nowMs);
      if (!isKeySecret(secret)) return tickets.redeem(secret);
      const secretHash = hashKeySecret(secret);
      const entry = cache.get(secretHash);
      if (!entry || !isFresh(entry, nowMs)) return queries.find(secretHash, entry);
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
  const { key, plan } = grant;
  const { limitPerMinute, slots, monthlyQuota } = findPlan(plans, plan);
  return {
    caller: {
      keyId: key.id,
      accountId: key.accountId,
      limitId: key.limitId,
      plan,
      limitPerMinute,
      slots,
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
