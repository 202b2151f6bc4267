/** Observes the parts of the service: the spans of their work, and what they count in the metrics. */
import { isFailure } from '#browser';
import type { DnsObserver, Egress } from '#egress';
import { ApiError } from '#errors';
import type { MonthlyQuotas, Shares, WindowCounter, WindowDecision } from '#limits';
import type { MetadataCache } from '#metadata';
import type { OnQuery, Storage } from '#storage';
import {
  CACHE_RESULTS,
  CACHES,
  DECISIONS,
  FETCH_OUTCOMES,
  LIMITERS,
  type Metrics,
  RENDER_OUTCOMES,
  type RequestTallies,
  Tally,
  type Tracing,
} from '#telemetry';
import type { Network } from './network.ts';
import type { Rendering, RenderObserver } from './rendering.ts';
import type { SharedState } from './state.ts';

/** The counts of what happens many times per request. */
export interface Tallies extends RequestTallies {
  units: Tally<(typeof LIMITERS)[number], (typeof DECISIONS)[number]>;
  caches: Tally<(typeof CACHES)[number], 'hit' | 'miss'>;
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

/** The metrics of a process that has METRICS_PORT, and the counts that are copied to them. */
export interface Measured {
  metrics: Metrics;
  tallies: Tallies;
}

/**
 * Returns each part with a span for each call that waits, and with its metrics. If nothing is traced or
 * measured, returns the part itself.
 */
export class PartObserver {
  readonly #tracing: Tracing;
  readonly #measured: Measured | null;

  constructor(tracing: Tracing, measured: Measured | null) {
    this.#tracing = tracing;
    this.#measured = measured;
  }

  /** The functions that parts call; undefined without metrics. */
  get sinks() {
    return this.#measured === null ? undefined : createSinks(this.#measured);
  }

  observeStorage(storage: Storage): Storage {
    const { traceCalls } = this.#tracing;
    return {
      ...storage,
      accounts: traceCalls('database', storage.accounts),
      keys: traceCalls('database', storage.keys),
      access: {
        ...traceCalls('database', storage.access),
        // It returns an adapter that the sign-in library calls.
        authDatabase: storage.access.authDatabase,
      },
      usage: traceCalls('database', storage.usage),
      quotas: traceCalls('database', storage.quotas),
    };
  }

  observeSharedState(shared: SharedState): SharedState {
    const traced = shared.getRedisState() === null ? shared : this.#traceRedis(shared);
    if (this.#measured === null) return traced;
    const { tallies } = this.#measured;
    const { keyWindows, addressWindows, metadataCache } = traced;
    return {
      ...traced,
      keyWindows: countUnits(keyWindows, 'key', tallies),
      addressWindows: countUnits(addressWindows, 'address', tallies),
      metadataCache: metadataCache && countCacheReads(metadataCache, tallies),
    };
  }

  #traceRedis(shared: SharedState): SharedState {
    const { traceCallWaits } = this.#tracing;
    return {
      ...shared,
      keyWindows: this.#traceWindows(shared.keyWindows),
      addressWindows: this.#traceWindows(shared.addressWindows),
      failureCounts: traceCallWaits('redis', shared.failureCounts),
      metadataCache: shared.metadataCache && traceCallWaits('redis', shared.metadataCache),
    };
  }

  /** Only `consume` waits. */
  #traceWindows(windows: WindowCounter): WindowCounter {
    const { consume } = this.#tracing.traceCallWaits('redis', windows);
    return { ...windows, consume };
  }

  observeQuotas(quotas: MonthlyQuotas | null): MonthlyQuotas | null {
    if (this.#measured === null || quotas === null) return quotas;
    const { tallies } = this.#measured;
    return {
      ...quotas,
      async consume(...use) {
        const decision = await quotas.consume(...use);
        if (!decision.admitted) tallies.quotaRefusals += 1;
        return decision;
      },
    };
  }

  /** A span is added for each place that is waited for. */
  observeShares(shares: Shares): Shares {
    const { startRequest, trace } = this.#tracing;
    if (startRequest === null) return shares;
    return {
      take: (...args) => shares.take(...args),
      acquire: (kind, ...rest) => trace(`queue ${kind}`, () => shares.acquire(kind, ...rest)),
      getState: (kind) => shares.getState(kind),
    };
  }

  observeNetwork(network: Network): Network {
    const { trace, traceWait } = this.#tracing;
    const measured = this.#measured;
    const egress = measured === null ? network.egress : measureEgress(network.egress, measured.metrics);
    return {
      ...network,
      lookupMail: traced('dns lookup', traceWait, network.lookupMail),
      lookupTxt: traced('dns lookup', traceWait, network.lookupTxt),
      egress: { ...egress, fetchPage: traced('fetch', trace, egress.fetchPage) },
    };
  }

  observeRendering(rendering: Rendering): Rendering {
    const { trace } = this.#tracing;
    const { pdf, renderPage } = rendering;
    return {
      ...rendering,
      pdf: pdf && {
        generatePdf: traced('render', trace, (...args: Parameters<typeof pdf.generatePdf>) =>
          pdf.generatePdf(...args),
        ),
      },
      renderPage: renderPage && traced('render', trace, renderPage),
    };
  }
}

/** Returns `run` with a span for each call. */
function traced<A extends unknown[], R>(
  name: string,
  trace: Tracing['trace'],
  run: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return (...args) => trace(name, () => run(...args));
}

function createSinks({ metrics, tallies }: Measured) {
  const onQuery: OnQuery = (isOk, ms) => {
    metrics.databaseQueries.inc({ outcome: isOk ? 'ok' : 'failed' });
    metrics.databaseQueryDuration.observe(ms / 1000);
  };
  return {
    dns: createDnsObserver(metrics, tallies),
    rendering: createRenderObserver(metrics),
    onQuery,
    onKeyRead: (result: 'hit' | 'miss') => tallies.caches.add('keys', result),
    onShareRefusal: (kind: string, reason: string) => metrics.shareRefusals.inc({ kind, reason }),
    onFlushError: () => metrics.usageFlushErrors.inc(),
    redis: {
      onCall(isOk: boolean, ms: number | null) {
        metrics.redisCalls.inc({ outcome: isOk ? 'ok' : ms === null ? 'skipped' : 'failed' });
        if (ms !== null) metrics.redisCallDuration.observe(ms / 1000);
      },
      onAlone: () => metrics.aloneDecisions.inc(),
      onLease(units: number) {
        metrics.leases.inc();
        metrics.leasedUnits.inc(units);
      },
    },
  };
}

/**
 * Counts the units that a counter admits and refuses. A check that consumes nothing counts if it is refused.
 */
function countUnits(
  counter: WindowCounter,
  limiter: (typeof LIMITERS)[number],
  { units }: Tallies,
): WindowCounter {
  const count = ({ admitted }: WindowDecision, cost: number): void => {
    if (!admitted) units.add(limiter, 'refused', Math.max(1, cost));
    else if (cost > 0) units.add(limiter, 'admitted', cost);
  };
  return {
    async consume(key, limit, cost, nowMs) {
      const decision = await counter.consume(key, limit, cost, nowMs);
      count(decision, cost);
      return decision;
    },
    tryConsume(key, limit, cost, nowMs) {
      const decision = counter.tryConsume(key, limit, cost, nowMs);
      if (decision !== null) count(decision, cost);
      return decision;
    },
  };
}

function countCacheReads(cache: MetadataCache, { caches }: Tallies): MetadataCache {
  return {
    async find(key) {
      const entry = await cache.find(key);
      caches.add('metadata', entry === null ? 'miss' : 'hit');
      return entry;
    },
    store: (key, entry) => cache.store(key, entry),
  };
}

function createDnsObserver(metrics: Metrics, { caches }: Tallies): DnsObserver {
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
function measureEgress(egress: Egress, metrics: Metrics): Egress {
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

function createRenderObserver(metrics: Metrics): RenderObserver {
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
