/** The log of requests, the metrics and the traces, as the configuration sets them. */
import type { AddressInfo } from 'node:net';
import { type Config, loadVersion } from '#config';
import type { EmailCache } from '#email';
import { createReadinessReader } from '#http';
import type { Shares } from '#limits';
import type { Storage } from '#storage';
import {
  countDroppedLines,
  createRequestLog,
  createRequestObserver,
  type Metrics,
  type MetricsServer,
  openMetrics,
  openMetricsServer,
  openTracing,
  type RequestObserver,
  setTotal,
  SHARE_KINDS,
  type Tracing,
} from '#telemetry';
import type { UsageRecorder } from '#usage';
import type { FastifyBaseLogger } from 'fastify';
import { checkParts } from './health.ts';
import { type Drain, StartError } from './lifecycle.ts';
import { createTallies, type Measured, PartObserver, type Tallies } from './observe-parts.ts';
import type { Rendering } from './rendering.ts';
import type { SharedState } from './state.ts';
import { countUncaughtErrors } from './uncaught-errors.ts';

/** The parts whose state is read at each scrape. */
export interface MeasuredParts {
  config: Config;
  emailCache: EmailCache;
  storage: Storage;
  shared: SharedState;
  usage: UsageRecorder;
  shares: Shares;
  rendering: Rendering;
  drain: Drain;
  now: () => number;
}

export interface Telemetry {
  requests: RequestObserver;
  parts: PartObserver;
  tracing: Tracing;
  /** Reads these parts at each scrape. */
  watch(parts: MeasuredParts): void;
  /**
   * Binds METRICS_HOST:METRICS_PORT if metrics are served. Rejects with StartError if that is not possible.
   */
  listen(parts: MeasuredParts): Promise<void>;
  /** Returns the address of /metrics; none before it listens. */
  getEndpoints(): AddressInfo[];
  /** Sends the last spans. */
  close(): Promise<void>;
  /** Closes /metrics. */
  closeMetrics(): Promise<void>;
}

interface TelemetryOptions {
  config: Config;
  now: () => number;
  logger: FastifyBaseLogger;
}

/** Opens the telemetry. Rejects with StartError if METRICS_PORT is the port of the service. */
export async function openTelemetry({ config, now, logger }: TelemetryOptions): Promise<Telemetry> {
  const measured = await openMeasured(config);
  const tracing = await openConfiguredTracing(config, logger);
  let server: MetricsServer | undefined;
  return {
    requests: createRequestObserver({ log: createRequestLog(logger, now), tracing, measured }),
    parts: new PartObserver(tracing, measured),
    tracing,
    watch(parts) {
      if (measured !== null) watchParts(measured, parts);
    },
    async listen(parts) {
      if (measured !== null) server = await listenForScrapes(measured.metrics, parts, { config, logger });
    },
    getEndpoints: () => (server ? [server.address] : []),
    close: () => tracing.close(),
    closeMetrics: async () => server?.close(),
  };
}

/** Opens the metrics; null if METRICS_PORT is not set. */
async function openMeasured({ metricsPort, port }: Config): Promise<Measured | null> {
  if (metricsPort === null) return null;
  if (metricsPort === port && port !== 0)
    throw new StartError(
      `METRICS_PORT and PORT are both ${port}. Set METRICS_PORT to another port: /metrics has no key and must not be reachable by callers.`,
    );
  const metrics = await openMetrics();
  metrics.buildInfo.set({ version: loadVersion() }, 1);
  return { metrics, tallies: createTallies() };
}

async function listenForScrapes(
  metrics: Metrics,
  parts: MeasuredParts,
  { config: { metricsHost, metricsPort }, logger }: Omit<TelemetryOptions, 'now'>,
): Promise<MetricsServer> {
  const readReadiness = createReadinessReader({
    readParts: () => checkParts(parts),
    isDraining: () => parts.drain.isDraining,
  });
  const host = metricsHost === 'localhost' ? '127.0.0.1' : metricsHost;
  const port = metricsPort ?? 0;
  const server = await openMetricsServer({
    metrics,
    host,
    port,
    readReadiness: () => readReadiness(true),
    onError: (err) => logger.error({ err }, 'cannot answer /metrics or /readyz'),
  }).catch((cause: Error) => {
    throw new StartError(
      `The metrics cannot listen on ${host}:${port}: ${cause.message}. Set METRICS_HOST and METRICS_PORT to an address that is free.`,
      { cause },
    );
  });
  logger.info(`metrics on port ${server.address.port}, path /metrics`);
  return server;
}

/** Starts tracing if the settings name a collector. */
function openConfiguredTracing(config: Config, logger: FastifyBaseLogger): Promise<Tracing> {
  return openTracing({
    collector: config.otelEndpoint,
    samplerRatio: config.otelSamplerRatio,
    log: (level, message, facts) => logger[level](facts, message),
  });
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

function watchParts({ metrics, tallies }: Measured, parts: MeasuredParts): void {
  const { emailCache, storage, shared, usage, shares, rendering, drain, now } = parts;
  metrics.onScrape(async () => copyTallies(metrics, tallies, emailCache));
  metrics.onScrape(async () => metrics.databaseUp.set(Number(await storage.isHealthy())));
  metrics.onScrape(async () => {
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
