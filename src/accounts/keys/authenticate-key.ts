import { LRUCache } from 'lru-cache';
import { ApiError } from '#errors';
import { findPlan, type Plans } from '../plans.ts';
import { isLiveKey, type KeyGrant, type KeyStore } from './api-key.ts';
import { ClientNetworks } from './client-networks.ts';
import { hashKeySecret, isKeySecret } from './key-secret.ts';
import { createTickets } from './tickets.ts';

/** The authenticated key and its permissions. One object per key while it is cached. */
export interface Caller {
  keyId: string;
  accountId: string;
  /** The id that the rate limit counts by. */
  limitId: string;
  plan: string;
  limitPerMinute: number;
  /**
   * Browser pages that the account's plan allows at once; null if `shares/` derives them from the machine.
   */
  slots: number | null;
  operations: readonly string[] | null;
  /** Null if the key may be used from all networks. */
  clientNetworks: ClientNetworks | null;
}

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
  /** Empties the cache: keys, accounts or plans have changed. */
  forgetAll: () => void;
}

export interface KeyAuthenticatorOptions {
  store: Pick<KeyStore, 'findKeyBySecretHash' | 'findKey'>;
  plans: Plans;
  now: () => number;
  /** Called once for each plan that an account has and that is no longer configured. */
  onUnknownPlan?: (plan: string) => void;
}

/** A live key is queried again after this time: a revocation applies within 5 s even without a notice. */
const FRESH_MS = 4_000;
/** While the database fails, keys that were live stay valid for this long. */
const STALE_MS = 60_000;
const UNKNOWN_MS = 5_000;
const CACHED_KEYS = 50_000;
const RECENT_KEYS = 1_000;

interface Entry {
  caller: Caller | null;
  expiresAtMs: number;
  freshUntilMs: number;
  staleUntilMs: number;
}

/** Creates an authenticator with a cache of 50,000 keys in front of the store. */
export function createKeyAuthenticator(options: KeyAuthenticatorOptions): KeyAuthenticator {
  const { store, plans, now } = options;
  const entries = new LRUCache<string, Entry>({ max: CACHED_KEYS });
  // By the secret itself: its checksum and digest take most of the time of a hit. Few, as these are secrets.
  const recents = new LRUCache<string, Entry>({ max: RECENT_KEYS });
  const queries = createQueries(options, entries);
  const tickets = createTickets<Caller>(now);

  return {
    authenticate(secret) {
      const nowMs = now();
      const recent = recents.get(secret);
      if (recent && nowMs < recent.freshUntilMs) return getCaller(recent, nowMs);
      if (!isKeySecret(secret)) return tickets.redeem(secret);
      const secretHash = hashKeySecret(secret);
      const entry = entries.get(secretHash);
      if (!entry || nowMs >= entry.freshUntilMs) return queries.find(secretHash, entry);
      if (entry.caller) recents.set(secret, entry);
      return getCaller(entry, nowMs);
    },
    findAccountId: (secret) => recents.peek(secret)?.caller?.accountId ?? null,
    async issueTicket(keyId) {
      const caller = getCaller(toEntry(await store.findKey(keyId), plans, now()), now());
      return caller && tickets.issue({ ...caller, clientNetworks: null });
    },
    forgetAll() {
      queries.forgetAll();
      entries.clear();
      recents.clear();
    },
  };
}

/** Creates the queries of the store, whose results are added to `entries`. */
function createQueries(
  { store, plans, now, onUnknownPlan = () => {} }: KeyAuthenticatorOptions,
  entries: LRUCache<string, Entry>,
) {
  const running = new Map<string, Promise<Caller | null>>();
  const reportUnknownPlan = createPlanReport(plans, onUnknownPlan);
  let generation = 0;

  async function query(secretHash: string, cached: Entry | undefined): Promise<Caller | null> {
    const startGeneration = generation;
    const queriedAtMs = now();
    try {
      const grant = await store.findKeyBySecretHash(secretHash);
      if (grant) reportUnknownPlan(grant.plan);
      const entry = toEntry(grant, plans, queriedAtMs);
      // A row that was queried before a change notice may be older than the change.
      if (startGeneration === generation) entries.set(secretHash, entry);
      return getCaller(entry, now());
    } catch (error) {
      const isUsable = cached?.caller && startGeneration === generation && now() < cached.staleUntilMs;
      if (isUsable && error instanceof ApiError) return getCaller(cached, now());
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
    /** Makes running queries neither shared nor cached. */
    forgetAll(): void {
      generation += 1;
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

function toEntry(grant: KeyGrant | null, plans: Plans, nowMs: number): Entry {
  if (!grant || grant.disabled || !isLiveKey(grant.key, nowMs))
    return { caller: null, expiresAtMs: 0, freshUntilMs: nowMs + UNKNOWN_MS, staleUntilMs: 0 };
  const { key, plan } = grant;
  const { limitPerMinute, slots } = findPlan(plans, plan);
  return {
    caller: {
      keyId: key.id,
      accountId: key.accountId,
      limitId: key.limitId,
      plan,
      limitPerMinute,
      slots,
      operations: key.operations,
      clientNetworks: key.clientCidrs && new ClientNetworks(key.clientCidrs),
    },
    expiresAtMs: key.expiresAtMs ?? Infinity,
    freshUntilMs: nowMs + FRESH_MS,
    staleUntilMs: nowMs + STALE_MS,
  };
}

function getCaller(entry: Entry, nowMs: number): Caller | null {
  return entry.caller && nowMs < entry.expiresAtMs ? entry.caller : null;
}
