/** Observers that count in the metrics what the parts of the service do. */
import type { KeyAuthenticator } from '#accounts';
import { isFailure } from '#browser';
import type { DnsObserver, Egress } from '#egress';
import { ApiError } from '#errors';
import type { RequestObserver } from '#http';
import type { MetadataCache } from '#metadata';
import {
  CACHE_RESULTS,
  CACHES,
  DECISIONS,
  FETCH_OUTCOMES,
  LIMITERS,
  type Metrics,
  RENDER_OUTCOMES,
  Tally,
} from '#telemetry';
import type { MonthlyQuotas, QuotaDecision, WindowCounter, WindowDecision } from '#limits';
import type { RenderObserver } from './rendering.ts';

/** The counts of what happens many times per request. */
export interface Tallies {
  requests: Tally<string, number>;
  units: Tally<(typeof LIMITERS)[number], (typeof DECISIONS)[number]>;
  caches: Tally<(typeof CACHES)[number], 'hit' | 'miss'>;
  /** Requests whose response has not ended. */
  inFlight: number;
  /** Requests that a monthly quota refused. */
  quotaRefusals: number;
}

export function createTallies(): Tallies {
  return {
    requests: new Tally(),
    units: new Tally(LIMITERS, DECISIONS),
    caches: new Tally(CACHES, CACHE_RESULTS),
    inFlight: 0,
    quotaRefusals: 0,
  };
}

export function createRequestObserver(metrics: Metrics, tallies: Tallies): RequestObserver {
  // One for each pair of labels: to find a child by its labels costs more than to observe.
  const durations = new Map<string, { observe(seconds: number): void }>();
  return {
    onStart() {
      tallies.inFlight += 1;
    },
    onEnd({ operation, status, ms }) {
      tallies.inFlight -= 1;
      tallies.requests.add(operation, status);
      const statusClass = toStatusClass(status);
      const key = operation + statusClass;
      let duration = durations.get(key);
      if (duration === undefined)
        durations.set(key, (duration = metrics.requestDuration.labels(operation, statusClass)));
      duration.observe(ms / 1000);
    },
    onMalformed: (status) => tallies.requests.add('none', status),
  };
}

function toStatusClass(status: number): string {
  return status === 429 ? '429' : `${Math.floor(status / 100)}xx`;
}

/**
 * Counts the units that a counter admits and refuses. A check that consumes nothing counts if it is refused.
 */
export function observeUnits(
  counter: WindowCounter,
  limiter: (typeof LIMITERS)[number],
  { units }: Tallies,
): WindowCounter {
  const count = (decision: WindowDecision, cost: number): WindowDecision => {
    if (!decision.admitted) units.add(limiter, 'refused', Math.max(1, cost));
    else if (cost > 0) units.add(limiter, 'admitted', cost);
    return decision;
  };
  return {
    consume(key, limit, cost, nowMs) {
      const decision = counter.consume(key, limit, cost, nowMs);
      return decision instanceof Promise
        ? decision.then((settled) => count(settled, cost))
        : count(decision, cost);
    },
  };
}

/** Counts the requests that a monthly quota refuses. */
export function observeQuotas(quotas: MonthlyQuotas, tallies: Tallies): MonthlyQuotas {
  const count = (decision: QuotaDecision): QuotaDecision => {
    if (!decision.admitted) tallies.quotaRefusals += 1;
    return decision;
  };
  return {
    ...quotas,
    consume(...use) {
      const decision = quotas.consume(...use);
      return decision instanceof Promise ? decision.then(count) : count(decision);
    },
  };
}

/** Counts the keys that are found in the cache, and those that need a query. */
export function observeKeys(
  authenticate: KeyAuthenticator['authenticate'],
  { caches }: Tallies,
): KeyAuthenticator['authenticate'] {
  return (secret) => {
    const caller = authenticate(secret);
    if (caller !== null) caches.add('keys', caller instanceof Promise ? 'miss' : 'hit');
    return caller;
  };
}

export function observeMetadataCache(cache: MetadataCache, { caches }: Tallies): MetadataCache {
  return {
    async find(key) {
      const entry = await cache.find(key);
      caches.add('metadata', entry === null ? 'miss' : 'hit');
      return entry;
    },
    store: (key, entry) => cache.store(key, entry),
  };
}

export function createDnsObserver(metrics: Metrics, { caches }: Tallies): DnsObserver {
  return {
    onCacheHit: () => caches.add('dns', 'hit'),
    onLookup(outcome, ms) {
      caches.add('dns', 'miss');
      metrics.dnsLookups.inc({ outcome });
      metrics.dnsLookupDuration.observe(ms / 1000);
    },
  };
}

/** Counts fetches by the class of their outcome. */
export function observeEgress(egress: Egress, metrics: Metrics): Egress {
  const { fetchPage, fetchList, openResourceFetcher } = egress;
  function measure(kind: 'page' | 'resource' | 'list'): (outcome: string) => void {
    const startedAtMs = performance.now();
    return (outcome) => {
      metrics.fetches.inc({ kind, outcome });
      metrics.fetchDuration.observe({ kind }, (performance.now() - startedAtMs) / 1000);
    };
  }
  return {
    ...egress,
    async fetchPage(request, reader, signal) {
      const end = measure('page');
      try {
        const page = await fetchPage(request, reader, signal);
        end(`${Math.floor(page.head.status / 100)}xx`);
        return page;
      } catch (error) {
        end(classifyError(error, signal, FETCH_OUTCOMES));
        throw error;
      }
    },
    openResourceFetcher(budget, client) {
      const fetchResource = openResourceFetcher(budget, client);
      return async (request, signal) => {
        const end = measure('resource');
        const resource = await fetchResource(request, signal);
        const failed = signal?.aborted === true ? 'aborted' : 'failed';
        end(isFailure(resource) ? failed : `${Math.floor(resource.status / 100)}xx`);
        return resource;
      };
    },
    async fetchList(url, options, signal) {
      const end = measure('list');
      try {
        const list = await fetchList(url, options, signal);
        end(list.status === 'fresh' ? '2xx' : 'not_modified');
        return list;
      } catch (error) {
        end(signal?.aborted === true ? 'aborted' : 'failed');
        throw error;
      }
    },
  };
}

export function createRenderObserver(metrics: Metrics): RenderObserver {
  const count = (lane: string, outcome: string, ms: number): void => {
    metrics.renders.inc({ lane, outcome });
    metrics.renderDuration.observe({ lane }, Math.max(0, ms / 1000));
  };
  return {
    onBrowserEvent: (event) => metrics.browserEvents.inc({ event }),
    onRender({ lane, error, ms }) {
      count(lane, error === undefined ? 'ok' : classifyError(error, undefined, RENDER_OUTCOMES), ms);
    },
    onPage(outcome, ms) {
      if ('error' in outcome) count('page', classifyError(outcome.error, undefined, RENDER_OUTCOMES), ms);
      else if (outcome.kind !== 'failed') count('page', 'ok', ms);
      else count('page', outcome.isLate === true ? 'timeout' : 'render_failed', ms);
    },
    onSlot({ waitMs, heldMs }) {
      metrics.slotWait.observe(waitMs / 1000);
      metrics.slotSeconds.inc(heldMs / 1000);
    },
  };
}

/** Returns one of the outcomes: the identifier of the error, `aborted`, or `error` for all others. */
function classifyError(error: unknown, signal: AbortSignal | undefined, outcomes: readonly string[]): string {
  if (signal?.aborted === true && !(signal.reason instanceof ApiError)) return 'aborted';
  if (error instanceof ApiError) return outcomes.includes(error.code) ? error.code : 'error';
  const name = error instanceof Error ? error.constructor.name : '';
  return name === 'ClientDisconnected' || name === 'DOMException' ? 'aborted' : 'error';
}
