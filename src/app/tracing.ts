/** Traces, as the standard variables of OpenTelemetry set them. */
import type { Config } from '#config';
import type { Shares } from '#limits';
import type { Storage } from '#storage';
import { openTracing, type Tracing } from '#telemetry';
import type { FastifyBaseLogger } from 'fastify';
import type { SharedState } from './state.ts';

/** Starts tracing if a collector is set. */
export function openConfiguredTracing(config: Config, logger: FastifyBaseLogger): Promise<Tracing> {
  const url = findCollector(config);
  const { otelProtocol: protocol, otelSampler: sampler } = config;
  if (url !== null) logger.info({ collector: new URL(url).host, protocol, sampler }, 'requests are traced');
  return openTracing({
    url,
    serviceName: config.otelServiceName,
    sampler,
    samplerRatio: config.otelSamplerRatio,
    log: (level, message, facts) => logger[level](facts, message),
  });
}

/** Returns the URL to which spans are posted; null if nothing is traced. */
function findCollector(config: Config): string | null {
  const { otelDisabled, otelTracesExporter, otelEndpoint, otelTracesEndpoint } = config;
  if (otelDisabled || otelTracesExporter === 'none') return null;
  if (otelTracesEndpoint !== null || otelEndpoint === null) return otelTracesEndpoint;
  return `${otelEndpoint.replace(/\/$/, '')}/v1/traces`;
}

/** Returns the stores with a span for each call of a request that waits for the database. */
export function traceStorage({ traceCalls }: Tracing, storage: Storage): Storage {
  return {
    ...storage,
    accounts: traceCalls('database', storage.accounts),
    keys: traceCalls('database', storage.keys),
    access: traceCalls('database', storage.access),
    usage: traceCalls('database', storage.usage),
    quotas: traceCalls('database', storage.quotas),
  };
}

/** Returns the state with a span for each call of a request that waits for Redis. */
export function traceSharedState(
  { traceCalls }: Tracing,
  { redisUrl }: Config,
  shared: SharedState,
): SharedState {
  if (redisUrl === null) return shared;
  return {
    ...shared,
    keyWindows: traceCalls('redis', shared.keyWindows),
    addressWindows: traceCalls('redis', shared.addressWindows),
    failureCounts: traceCalls('redis', shared.failureCounts),
    metadataCache: shared.metadataCache && traceCalls('redis', shared.metadataCache),
  };
}

/** Returns the shares with a span for each place that is waited for. */
export function traceShares({ startRequest, traceWait }: Tracing, shares: Shares): Shares {
  if (startRequest === null) return shares;
  return {
    take: (...args) => shares.take(...args),
    acquire: (kind, ...rest) => traceWait(`queue ${kind}`, () => shares.acquire(kind, ...rest)),
    getState: (kind) => shares.getState(kind),
  };
}
