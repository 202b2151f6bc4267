import { LRUCache } from 'lru-cache';
import { ApiError } from '#errors';
import { isLiveKey, type KeyGrant, type KeyStore } from './api-key.ts';
import { hashKeySecret, isKeySecret } from './key-secret.ts';
import { findPlan, type Plans } from '../plans.ts';
import { createRandomText } from '../random-text.ts';

/** Who calls, and what the key allows. One object per key while it is cached. */
export interface Caller {
  keyId: string;
  accountId: string;
  /** What the rate limit counts by. */
  limitId: string;
  plan: string;
  limitPerMinute: number;
  /** Browser pages that the account's plan allows at once; null if the machine decides. */
  slots: number | null;
  operations: readonly string[] | null;
  clientCidrs: readonly string[] | null;
}

export interface KeyAuthenticator {
  /** The caller, or null for everything that is not a working key; at once where the key is cached. Throws ApiError `unavailable` where the database cannot tell. */
  authenticate: (secret: string) => Caller | null | Promise<Caller | null>;
  /** A text that authenticates once, within 10 s, as this key without its restriction to addresses; null where the key does not work. */
  issueTicket: (keyId: string) => Promise<string | null>;
  /** Forgets what is cached: keys, accounts or plans have changed. */
  forgetAll: () => void;
}

export interface KeyAuthenticatorOptions {
  store: Pick<KeyStore, 'findKeyBySecretHash' | 'findKey'>;
  plans: Plans;
  now: () => number;
  /** Called once for each plan that an account has and the operator no longer configures. */
  onUnknownPlan?: (plan: string) => void;
}

/** A good key is looked up again after this time, so that a revocation elsewhere counts within 5 s even if no notice of it arrives. */
const FRESH_MS = 4_000;
/** While the database is away, keys that were good go on for this long. */
const STALE_MS = 60_000;
const UNKNOWN_MS = 5_000;
const TICKET_MS = 10_000;
const RECENT_KEYS = 1_000;
const TICKET_SHAPE = /^ua_ticket_[0-9A-Za-z]{40}$/;

interface Entry {
  caller: Caller | null;
  expiresAtMs: number;
  freshUntilMs: number;
  staleUntilMs: number;
}

/** Answers who a secret belongs to, from a cache of 50,000 keys in front of the store. */
export function createKeyAuthenticator(options: KeyAuthenticatorOptions): KeyAuthenticator {
  const { store, plans, now, onUnknownPlan = () => {} } = options;
  const entries = new LRUCache<string, Entry>({ max: 50_000 });
  // Good keys of the last seconds by their secret: checksum and digest are the dearest part of a hit. Only in memory, and few.
  const recents = new Map<string, Entry>();
  const lookups = new Map<string, Promise<Caller | null>>();
  const tickets = new LRUCache<string, { caller: Caller; untilMs: number }>({ max: 10_000 });
  const unknownPlans = new Set<string>();
  let generation = 0;

  function tellUnknownPlan(plan: string): void {
    if (plans.has(plan) || unknownPlans.has(plan)) return;
    unknownPlans.add(plan);
    onUnknownPlan(plan);
  }

  async function lookUp(secretHash: string, known: Entry | undefined): Promise<Caller | null> {
    const begun = generation;
    const askedAtMs = now();
    try {
      const grant = await store.findKeyBySecretHash(secretHash);
      if (grant) tellUnknownPlan(grant.plan);
      const entry = toEntry(grant, plans, askedAtMs);
      // What was read before a change notice may be older than the change.
      if (begun === generation) entries.set(secretHash, entry);
      return readEntry(entry, now());
    } catch (error) {
      const usable = known?.caller && begun === generation && now() < known.staleUntilMs;
      if (usable && error instanceof ApiError) return readEntry(known, now());
      throw error;
    }
  }

  /** The oldest goes first: an entry serves for four seconds at most. */
  function remember(secret: string, entry: Entry): void {
    if (recents.size >= RECENT_KEYS) recents.delete(recents.keys().next().value ?? '');
    recents.set(secret, entry);
  }

  function useTicket(ticket: string): Caller | null {
    const found = tickets.get(ticket);
    tickets.delete(ticket);
    return found && now() < found.untilMs ? found.caller : null;
  }

  return {
    authenticate(secret) {
      const nowMs = now();
      const recent = recents.get(secret);
      if (recent && nowMs < recent.freshUntilMs) return readEntry(recent, nowMs);
      if (!isKeySecret(secret)) return TICKET_SHAPE.test(secret) ? useTicket(secret) : null;
      const secretHash = hashKeySecret(secret);
      const entry = entries.get(secretHash);
      if (entry && nowMs < entry.freshUntilMs) {
        if (entry.caller) remember(secret, entry);
        return readEntry(entry, nowMs);
      }
      const running = lookups.get(secretHash);
      if (running) return running;
      const lookup = lookUp(secretHash, entry).finally(() => {
        if (lookups.get(secretHash) === lookup) lookups.delete(secretHash);
      });
      lookups.set(secretHash, lookup);
      return lookup;
    },
    async issueTicket(keyId) {
      const caller = readEntry(toEntry(await store.findKey(keyId), plans, now()), now());
      if (!caller) return null;
      const ticket = `ua_ticket_${createRandomText(40)}`;
      tickets.set(ticket, { caller: { ...caller, clientCidrs: null }, untilMs: now() + TICKET_MS });
      return ticket;
    },
    forgetAll() {
      generation += 1;
      entries.clear();
      recents.clear();
      lookups.clear();
    },
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
      clientCidrs: key.clientCidrs,
    },
    expiresAtMs: key.expiresAtMs ?? Infinity,
    freshUntilMs: nowMs + FRESH_MS,
    staleUntilMs: nowMs + STALE_MS,
  };
}

function readEntry(entry: Entry, nowMs: number): Caller | null {
  return entry.caller && nowMs < entry.expiresAtMs ? entry.caller : null;
}
