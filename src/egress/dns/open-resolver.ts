import { Semaphore } from '#concurrency';
import { AnswerCache } from './answer-cache.ts';
import {
  DEFAULT_LIMITS,
  type DnsAnswer,
  type DnsResolver,
  type DnsType,
  type ResolverLimits,
  type ServerAddress,
} from './resolver.ts';
import { NameServer } from './name-server.ts';
import { Lookup, type LookupContext, type LookupOutcome } from './lookup.ts';

export interface ResolverOptions extends Partial<ResolverLimits> {
  /** Queried in this order, the next one if one fails. */
  servers: ServerAddress[];
  /** Milliseconds; used for TTLs only. */
  now: () => number;
  observer?: DnsObserver | undefined;
}

/** Observes the lookups. Must not throw. */
export interface DnsObserver {
  /** An answer of the cache was used. */
  onCacheHit(): void;
  /** A lookup that needed servers ended. */
  onLookup(outcome: LookupOutcome, ms: number): void;
}

class Resolver implements DnsResolver {
  readonly #context: LookupContext;
  readonly #observer: DnsObserver | undefined;
  #isClosed = false;

  constructor({ servers, now, observer, ...overrides }: ResolverOptions) {
    const limits = { ...DEFAULT_LIMITS, ...overrides };
    this.#observer = observer;
    this.#context = {
      onEnd: observer && ((outcome, ms) => observer.onLookup(outcome, ms)),
      servers: servers.map((address) => new NameServer(address, limits, now)),
      limits,
      cache: new AnswerCache(limits, now),
      semaphore: new Semaphore(limits.maxConcurrent, limits.maxQueued),
      running: Object.create(null) as Record<string, Lookup>,
    };
  }

  findCached<T extends DnsType>(name: string, type: T): DnsAnswer<T> | null {
    const { cache, semaphore, limits } = this.#context;
    const key = `${type} ${name.toLowerCase()}`;
    const answer = cache.find(key);
    if (answer) this.#observer?.onCacheHit();
    if (answer && cache.isDue(key) && semaphore.running < limits.maxConcurrent)
      void this.#lookUp(name, type).wait(undefined);
    return answer as DnsAnswer<T> | null;
  }

  query<T extends DnsType>(name: string, type: T, signal?: AbortSignal): Promise<DnsAnswer<T>> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.#isClosed) return Promise.resolve({ outcome: 'failure', reason: 'network' });
    const cached = this.findCached(name, type);
    if (cached) return Promise.resolve(cached);
    return this.#lookUp(name, type).wait(signal) as Promise<DnsAnswer<T>>;
  }

  close(): void {
    this.#isClosed = true;
    for (const lookup of Object.values(this.#context.running)) lookup.fail('network');
    for (const server of this.#context.servers) server.close();
  }

  /** Joins the lookup in flight, or starts one. */
  #lookUp(name: string, type: DnsType): Lookup {
    const lowerName = name.toLowerCase();
    const key = `${type} ${lowerName}`;
    return this.#context.running[key] ?? new Lookup(this.#context, key, lowerName, type);
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
