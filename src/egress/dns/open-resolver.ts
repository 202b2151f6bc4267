import { AbortListeners } from '../concurrency/abort-listeners.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { AnswerCache } from './answer-cache.ts';
import { CoalescedLookup, type Answer } from './coalesced-lookup.ts';
import { DEFAULT_LIMITS, type ResolverLimits } from './limits.ts';
import { startLookup, type LookupResult } from './lookup.ts';
import { openNameServer, type NameServer } from './name-server.ts';
import type { DnsAnswer, DnsFailure, DnsResolver, DnsType } from './resolver.ts';
import type { ServerAddress } from './server-address.ts';

export interface ResolverOptions extends Partial<ResolverLimits> {
  /** Queried in this order, the next one if one fails. */
  servers: ServerAddress[];
  /** Milliseconds; used for TTLs only. */
  now: () => number;
}

class Resolver implements DnsResolver {
  readonly #limits: ResolverLimits;
  readonly #servers: NameServer[];
  readonly #cache: AnswerCache;
  readonly #semaphore: Semaphore;
  readonly #abortListeners = new AbortListeners();
  readonly #lookups = new Map<string, CoalescedLookup>();
  #isClosed = false;

  constructor(options: ResolverOptions) {
    this.#limits = { ...DEFAULT_LIMITS, ...options };
    this.#servers = options.servers.map((address) => openNameServer(address, this.#limits, options.now));
    this.#cache = new AnswerCache(this.#limits, options.now);
    this.#semaphore = new Semaphore(this.#limits.maxConcurrent, this.#limits.maxQueued);
  }

  findCached<T extends DnsType>(name: string, type: T): DnsAnswer<T> | null {
    const lowerName = name.toLowerCase();
    const key = `${type} ${lowerName}`;
    return this.#cache.find(key, () => {
      if (!this.#lookups.has(key) && this.#semaphore.running < this.#limits.maxConcurrent)
        this.#start(key, lowerName, type, true);
    }) as DnsAnswer<T> | null;
  }

  query<T extends DnsType>(name: string, type: T, signal?: AbortSignal): Promise<DnsAnswer<T>> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const cached = this.findCached(name, type);
    if (cached) return Promise.resolve(cached);
    if (this.#isClosed) return Promise.resolve(failure('network'));
    const lowerName = name.toLowerCase();
    const key = `${type} ${lowerName}`;
    const lookup = this.#lookups.get(key) ?? this.#start(key, lowerName, type, false);
    return lookup.wait(signal) as Promise<DnsAnswer<T>>;
  }

  close(): void {
    this.#isClosed = true;
    for (const lookup of this.#lookups.values()) lookup.end(failure('network'));
    for (const server of this.#servers) server.close();
    this.#cache.clear();
  }

  #start(key: string, name: string, type: DnsType, isBackground: boolean): CoalescedLookup {
    const { timeoutMs, maxWaitMs, staleAfterMs } = this.#limits;
    const options = {
      semaphore: this.#semaphore,
      abortListeners: this.#abortListeners,
      timeoutMs,
      maxWaitMs,
      staleAfterMs,
      startLookup: (done: (result: LookupResult) => void) =>
        startLookup(this.#servers, name, type, this.#limits, done),
      findStale: this.#cache.hasStale(key) ? () => this.#cache.serveStale(key) : null,
      onEnd: (result: LookupResult | null) => {
        this.#lookups.delete(key);
        return result && this.#store(key, result);
      },
    };
    const lookup = new CoalescedLookup(options, isBackground);
    if (!lookup.isOver) this.#lookups.set(key, lookup);
    return lookup;
  }

  /** Caches a result. Returns the answer for the callers, which is a stale one if the lookup failed. */
  #store(key: string, result: LookupResult): Answer {
    if (result.outcome !== 'failure') {
      this.#cache.store(key, result);
      return { ...result, stale: false };
    }
    if (this.#isClosed) return result;
    const stale = this.#cache.serveStale(key);
    if (result.reason !== 'overloaded') this.#cache.storeFailure(key, result.reason);
    return stale ?? result;
  }
}

/**
 * Opens a caching stub resolver: random ids and ports (RFC 5452), EDNS (RFC 6891), TCP on truncation,
 * failover, negative caching (RFC 2308), failure back-off (RFC 9520), stale answers on failure (RFC 8767),
 * and one lookup in flight per name and type.
 */
export function openResolver(options: ResolverOptions): DnsResolver {
  return new Resolver(options);
}

function failure(reason: DnsFailure): { outcome: 'failure'; reason: DnsFailure } {
  return { outcome: 'failure', reason };
}
