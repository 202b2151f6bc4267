/** Connects the metrics to the parts of the service. Without METRICS_PORT nothing is measured. */
import type { AddressInfo } from 'node:net';
import { type Config, loadVersion } from '#config';
import { EmailCache } from '#email';
import {
  type Metrics,
  type MetricsServer,
  SHARE_KINDS,
  countDroppedLines,
  openMetrics,
  openMetricsServer,
  setTotal,
} from '#telemetry';
import type { Shares } from '#limits';
import type { OnQuery, Storage } from '#storage';
import type { UsageRecorder } from '#usage';
import type { FastifyBaseLogger } from 'fastify';
import { type Drain, StartError } from './lifecycle.ts';
import {
  createDnsObserver,
  createRenderObserver,
  createRequestObserver,
  createTallies,
  type Tallies,
} from './observers.ts';
import type { SharedState } from './state.ts';
import type { Rendering } from './rendering.ts';
import { countUncaughtErrors } from './uncaught-errors.ts';

/** The parts whose state is read at each scrape. */
export interface MeasuredParts {
  storage: Storage;
  shared: SharedState;
  usage: UsageRecorder;
  shares: Shares;
  rendering: Rendering;
  drain: Drain;
  now: () => number;
}

/** The metrics of a process that has METRICS_PORT. */
export interface AppMetrics {
  metrics: Metrics;
  tallies: Tallies;
  emailCache: EmailCache;
  observers: ReturnType<typeof createObservers>;
  /** Reads these parts at each scrape. */
  watch(parts: MeasuredParts): void;
  /** Binds METRICS_HOST:METRICS_PORT. Rejects with StartError if that is not possible. */
  listen(): Promise<void>;
  /** Returns the address of the server; none before it listens. */
  getEndpoints(): AddressInfo[];
  close(): Promise<void>;
}

/**
 * Opens the metrics; null if METRICS_PORT is not set. Rejects with StartError if it is that of the service.
 */
export async function openAppMetrics(config: Config, logger: FastifyBaseLogger): Promise<AppMetrics | null> {
  const { metricsPort: port, metricsHost } = config;
  if (port === null) return null;
  if (port === config.port && port !== 0)
    throw new StartError(
      `METRICS_PORT and PORT are both ${port}. Set METRICS_PORT to another port: /metrics has no key and must not be reachable by callers.`,
    );
  const host = metricsHost === 'localhost' ? '127.0.0.1' : metricsHost;
  const metrics = await openMetrics();
  const tallies = createTallies();
  const emailCache = new EmailCache();
  metrics.buildInfo.set({ version: loadVersion() }, 1);
  metrics.onScrape(() => copyTallies(metrics, tallies, emailCache));
  let server: MetricsServer | undefined;
  return {
    metrics,
    tallies,
    emailCache,
    observers: createObservers(metrics, tallies),
    watch: (parts) => watchParts(metrics, parts),
    async listen() {
      server = await openMetricsServer({
        metrics,
        host,
        port,
        onError: (err) => logger.error({ err }, 'cannot answer /metrics'),
      }).catch((cause: Error) => {
        throw new StartError(
          `The metrics cannot listen on ${host}:${port}: ${cause.message}. Set METRICS_HOST and METRICS_PORT to an address that is free.`,
          { cause },
        );
      });
      logger.info(`metrics on port ${server.address.port}, path /metrics`);
    },
    getEndpoints: () => (server ? [server.address] : []),
    close: async () => server?.close(),
  };
}

function createObservers(metrics: Metrics, tallies: Tallies) {
  const onQuery: OnQuery = (isOk, ms) => {
    metrics.databaseQueries.inc({ outcome: isOk ? 'ok' : 'failed' });
    metrics.databaseQueryDuration.observe(ms / 1000);
  };
  return {
    requests: createRequestObserver(metrics, tallies),
    dns: createDnsObserver(metrics, tallies),
    rendering: createRenderObserver(metrics),
    onQuery,
    onShareRefusal: (kind: string, reason: string) => metrics.shareRefusals.inc({ kind, reason }),
    onFlushError: () => metrics.usageFlushErrors.inc(),
    redis: {
      onCall(isOk: boolean, ms: number | null) {
        metrics.redisCalls.inc({ outcome: isOk ? 'ok' : ms === null ? 'skipped' : 'failed' });
        if (ms !== null) metrics.redisCallDuration.observe(ms / 1000);
      },
      onLease(units: number) {
        metrics.leases.inc();
        metrics.leasedUnits.inc(units);
      },
    },
  };
}

function copyTallies(metrics: Metrics, tallies: Tallies, emailCache: EmailCache): void {
  tallies.requests.copyTo(metrics.requests, 'operation', 'status');
  tallies.units.copyTo(metrics.rateLimitUnits, 'limiter', 'decision');
  tallies.caches.copyTo(metrics.cacheLookups, 'cache', 'result');
  metrics.cacheLookups.inc({ cache: 'email_domains', result: 'hit' }, emailCache.hits);
  metrics.cacheLookups.inc({ cache: 'email_domains', result: 'miss' }, emailCache.misses);
  metrics.requestsInFlight.set(tallies.inFlight);
  setTotal(metrics.quotaRefusals, tallies.quotaRefusals);
}

function watchParts(metrics: Metrics, parts: MeasuredParts): void {
  const { storage, shared, usage, shares, rendering, drain, now } = parts;
  metrics.onScrape(async () => metrics.databaseUp.set(Number(await storage.isHealthy())));
  metrics.onScrape(() => {
    for (const kind of SHARE_KINDS) {
      const { capacity, held, queued } = shares.getState(kind);
      metrics.sharesCapacity.set({ kind }, capacity);
      metrics.sharesInUse.set({ kind }, held);
      metrics.sharesWaiting.set({ kind }, queued);
    }
    readUsage(metrics, usage, now());
    readRedis(metrics, shared);
    readBrowser(metrics, rendering);
    metrics.draining.set(Number(drain.isDraining));
    setTotal(metrics.logLinesDropped, countDroppedLines());
    setTotal(metrics.uncaughtErrors, countUncaughtErrors());
  });
}

function readUsage(metrics: Metrics, usage: UsageRecorder, nowMs: number): void {
  const { unwrittenSinceMs, bufferedRows, lostRows } = usage.getState();
  metrics.usageLag.set(unwrittenSinceMs === null ? 0 : Math.max(0, nowMs - unwrittenSinceMs) / 1000);
  metrics.usageBufferedRows.set(bufferedRows);
  setTotal(metrics.usageLostRows, lostRows);
}

/** Without Redis, its metrics are absent: 0 would look like an outage. */
function readRedis(metrics: Metrics, shared: SharedState): void {
  const state = shared.getRedisState();
  if (state === null) {
    metrics.redisUp.remove();
    metrics.replicas.remove();
    return;
  }
  metrics.redisUp.set(Number(state.outage === null));
  metrics.replicas.set(state.replicas);
}

function readBrowser(metrics: Metrics, rendering: Rendering): void {
  const status = rendering.getBrowserStatus();
  if (status === null) {
    for (const gauge of [metrics.browserUp, metrics.slots, metrics.rendersBusy, metrics.rendersQueued])
      gauge.remove();
    return;
  }
  metrics.browserUp.set(Number(status.ready));
  metrics.slots.set(status.slots);
  metrics.rendersBusy.set(status.busy);
  metrics.rendersQueued.set(status.queued);
}
