import { AbortListeners } from '../concurrency/abort-listeners.ts';
import { Semaphore } from '#concurrency';
import { AnswerCache } from './answer-cache.ts';
import { DEFAULT_LIMITS, type ResolverLimits } from './limits.ts';
import { NameServer } from './name-server.ts';
import type { DnsAnswer, DnsResolver, DnsType } from './resolver.ts';
import type { ServerAddress } from './server-address.ts';
import { SharedLookup, type LookupContext } from './shared-lookup.ts';

export interface ResolverOptions extends Partial<ResolverLimits> {
  /** Queried in this order, the next one if one fails. */
  servers: ServerAddress[];
  /** Milliseconds; used for TTLs only. */
  now: () => number;
}

class Resolver implements DnsResolver {
  readonly #context: LookupContext;
  #isClosed = false;

  constructor({ servers, now, ...limits }: ResolverOptions) {
    const all = { ...DEFAULT_LIMITS, ...limits };
    this.#context = {
      servers: servers.map((address) => new NameServer(address, all, now)),
      limits: all,
      cache: new AnswerCache(all, now),
      semaphore: new Semaphore(all.maxConcurrent, all.maxQueued),
      abortListeners: new AbortListeners(),
      running: new Map(),
    };
  }

  findCached<T extends DnsType>(name: string, type: T): DnsAnswer<T> | null {
    const lowerName = name.toLowerCase();
    return this.#find(`${type} ${lowerName}`, lowerName, type);
  }

  query<T extends DnsType>(name: string, type: T, signal?: AbortSignal): Promise<DnsAnswer<T>> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const lowerName = name.toLowerCase();
    const key = `${type} ${lowerName}`;
    const cached = this.#find(key, lowerName, type);
    if (cached) return Promise.resolve(cached);
    if (this.#isClosed) return Promise.resolve({ outcome: 'failure', reason: 'network' });
    return this.#lookUp(key, lowerName, type, signal);
  }

  close(): void {
    const { cache, running, servers } = this.#context;
    this.#isClosed = true;
    cache.clear();
    for (const lookup of running.values()) lookup.end({ outcome: 'failure', reason: 'network' });
    for (const server of servers) server.close();
  }

  /** Finds the cached answer, and renews it in the background if it is due. */
  #find<T extends DnsType>(key: string, name: string, type: T): DnsAnswer<T> | null {
    const { cache, semaphore, limits } = this.#context;
    const answer = cache.find(key);
    if (answer && cache.isDue(key) && semaphore.running < limits.maxConcurrent)
      void this.#lookUp(key, name, type);
    return answer as DnsAnswer<T> | null;
  }

  #lookUp<T extends DnsType>(
    key: string,
    name: string,
    type: T,
    signal?: AbortSignal,
  ): Promise<DnsAnswer<T>> {
    const running = this.#context.running.get(key);
    const lookup = running ?? new SharedLookup(this.#context, key, name, type).start();
    return lookup.wait(signal) as Promise<DnsAnswer<T>>;
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
