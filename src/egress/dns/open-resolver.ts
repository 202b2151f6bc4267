import { AnswerCache } from './answer-cache.ts';
import { Flight, type Answer, type FlightPlan } from './coalesced-lookup.ts';
import { DEFAULT_LIMITS, type ResolverLimits } from './limits.ts';
import { startLookup, type LookupResult } from './lookup.ts';
import { openNameServer } from './name-server.ts';
import type { DnsAnswer, DnsFailure, DnsResolver, DnsType } from './resolver.ts';
import type { ServerAddress } from './server-address.ts';
import { createTurns } from '../concurrency/semaphore.ts';

export interface ResolverOptions extends Partial<ResolverLimits> {
  /** Asked in this order, the next where one fails. */
  servers: ServerAddress[];
  /** Milliseconds; judges TTLs only. */
  now: () => number;
}

/**
 * Opens a stub resolver with a cache: random ids and ports (RFC 5452), EDNS (RFC 6891), TCP on truncation, fail-over, negative caching
 * (RFC 2308), failure back-off (RFC 9520), stale answers on trouble (RFC 8767), one look-up in flight for a name and type.
 */
export function openResolver(options: ResolverOptions): DnsResolver {
  const limits: ResolverLimits = { ...DEFAULT_LIMITS, ...options };
  const servers = options.servers.map((address) => openNameServer(address, limits, options.now));
  const cache = new AnswerCache(limits, options.now);
  const turns = createTurns(limits.maxConcurrent, limits.maxQueued);
  const flights = new Map<string, Flight>();
  let closed = false;

  function start(key: string, name: string, type: DnsType, isBackground: boolean): Flight {
    const plan: FlightPlan = {
      turns,
      timeoutMs: limits.timeoutMs,
      maxWaitMs: limits.maxWaitMs,
      staleAfterMs: limits.staleAfterMs,
      lookUp: (done) => startLookup(servers, name, type, limits, done),
      findStale: cache.hasStale(key) ? () => cache.serveStale(key) : null,
      onEnd(result) {
        flights.delete(key);
        return result && settle(key, result);
      },
    };
    const flight = new Flight(plan, isBackground);
    if (!flight.isOver) flights.set(key, flight);
    return flight;
  }

  /** Remembers a result, and says what the callers get for it. */
  function settle(key: string, result: LookupResult): Answer {
    if (result.outcome !== 'failure') {
      cache.store(key, result);
      return { ...result, stale: false };
    }
    if (closed) return result;
    const stale = cache.serveStale(key);
    if (result.reason !== 'overloaded') cache.storeFailure(key, result.reason);
    return stale ?? result;
  }

  function recallAny(name: string, type: DnsType): Answer | null {
    const lowerName = name.toLowerCase();
    const key = `${type} ${lowerName}`;
    return cache.find(key, () => {
      if (!flights.has(key) && turns.running < limits.maxConcurrent) start(key, lowerName, type, true);
    });
  }

  function queryAny(name: string, type: DnsType, signal: AbortSignal | undefined): Promise<Answer> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const known = recallAny(name, type);
    if (known) return Promise.resolve(known);
    const lowerName = name.toLowerCase();
    const key = `${type} ${lowerName}`;
    if (closed) return Promise.resolve(failure('network'));
    return (flights.get(key) ?? start(key, lowerName, type, false)).wait(signal);
  }

  function close(): void {
    closed = true;
    for (const flight of flights.values()) flight.end(failure('network'));
    for (const server of servers) server.close();
    cache.clear();
  }

  return {
    query: <T extends DnsType>(name: string, type: T, signal?: AbortSignal) =>
      queryAny(name, type, signal) as Promise<DnsAnswer<T>>,
    recall: <T extends DnsType>(name: string, type: T) => recallAny(name, type) as DnsAnswer<T> | null,
    close,
  };
}

function failure(reason: DnsFailure): { outcome: 'failure'; reason: DnsFailure } {
  return { outcome: 'failure', reason };
}
