/** The health of every part, as administrators see it in the dashboard. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config, loadVersion } from '#config';
import { getSystemServers } from '#egress';
import type { CurrentLists } from '#email';
import type { ReadyPart, SystemHealth } from '#http';
import { SHARE_KINDS, countDroppedLines } from '#telemetry';
import type { Shares } from '#limits';
import type { Storage } from '#storage';
import type { UsageRecorder } from '#usage';
import type { Drain } from './lifecycle.ts';
import type { SharedState } from './state.ts';
import type { Rendering } from './rendering.ts';
import { countUncaughtErrors } from './uncaught-errors.ts';

export interface HealthParts {
  config: Config;
  now: () => number;
  lists: CurrentLists;
  storage: Storage;
  shared: SharedState;
  usage: UsageRecorder;
  shares: Shares;
  rendering: Rendering;
  drain: Drain;
}

/** The length of the sample of the event loop. Nothing is measured between two reads. */
const SAMPLE_MS = 200;
/** A delay is the time between two ticks of a timer, less the interval of the timer. */
const TICK_MS = 1;
const NANOSECONDS_PER_MS = 1e6;
const NO_DATABASE = 'the database does not respond';

/** Creates the function that loads the health of every part. */
export function createHealthReader(parts: HealthParts): () => Promise<SystemHealth> {
  const startedAtMs = parts.now();
  const version = loadVersion();
  return async () => {
    const [database, eventLoop] = await Promise.all([checkDatabase(parts), sampleEventLoop()]);
    const { config, lists, shares, drain, usage } = parts;
    return {
      status: drain.isDraining ? 'draining' : database.ok ? 'ready' : 'unavailable',
      version,
      nodeVersion: process.version,
      startedAtMs,
      memoryBytes: process.memoryUsage.rss(),
      uncaughtErrors: countUncaughtErrors(),
      eventLoop,
      database,
      redis: checkRedis(parts),
      browser: checkBrowser(parts),
      dns: { servers: (config.dnsServers ?? getSystemServers()).map(formatServer) },
      sendsMail: config.smtpUrl !== null,
      lists: summarizeLists(lists),
      queues: SHARE_KINDS.map((kind) => ({ kind, ...shares.getState(kind) })),
      usage: usage.getState(),
      droppedLogLines: countDroppedLines(),
    };
  };
}

function formatServer({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

async function checkDatabase({ config, storage }: HealthParts): Promise<SystemHealth['database']> {
  const ok = await storage.isHealthy();
  return {
    ok,
    reason: ok ? null : NO_DATABASE,
    kind: config.databaseUrl === null ? 'SQLite' : 'PostgreSQL',
    bytes: ok ? await storage.loadSizeBytes() : null,
  };
}

function checkRedis({ shared }: ReadyParts): SystemHealth['redis'] {
  const state = shared.getRedisState();
  if (state === null) return null;
  const { outage, replicas } = state;
  const reason = 'Redis does not reply: each replica admits its part of the limits';
  return { ok: outage === null, reason: outage === null ? null : reason, replicas };
}

function checkBrowser({ rendering }: ReadyParts): SystemHealth['browser'] {
  const status = rendering.getBrowserStatus();
  if (status === null) return null;
  const { ready, reason = null, browserVersion = null, sandbox, network, slots, busy, queued } = status;
  return { ok: ready, reason, version: browserVersion, sandbox, network, slots, busy, queued };
}

function summarizeLists(lists: CurrentLists): SystemHealth['lists'] {
  const states = lists.getStatus();
  const refreshes = states.flatMap(({ refresh }) => refresh ?? []);
  return {
    lists: states.length,
    failed: refreshes.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused').length,
    entries: states.reduce((sum, { entries }) => sum + entries, 0),
    refreshedAtMs: refreshes.length > 0 ? Math.max(...refreshes.map(({ atMs }) => atMs)) : null,
  };
}

/** Measures how late the event loop is for a moment. */
async function sampleEventLoop(): Promise<SystemHealth['eventLoop']> {
  const histogram = monitorEventLoopDelay({ resolution: TICK_MS });
  histogram.enable();
  await delay(SAMPLE_MS);
  histogram.disable();
  const toMs = (ns: number): number => Math.max(0, Math.round((ns / NANOSECONDS_PER_MS - TICK_MS) * 10) / 10);
  return {
    p50Ms: toMs(histogram.percentile(50)),
    p99Ms: toMs(histogram.percentile(99)),
    maxMs: histogram.count === 0 ? 0 : toMs(histogram.max),
  };
}

type ReadyParts = Pick<HealthParts, 'config' | 'storage' | 'shared' | 'rendering'>;

/** Returns the state of the parts that /readyz reports, with what is for operators alone in `facts`. */
export async function checkParts(parts: ReadyParts): Promise<Record<string, ReadyPart>> {
  const redis = checkRedis(parts);
  const { version: browserVersion, sandbox, network, ...browser } = checkBrowser(parts) ?? {};
  const isHealthy = await parts.storage.isHealthy();
  return {
    database: toPart({ ok: isHealthy, reason: isHealthy ? null : NO_DATABASE }, true),
    ...(redis !== null && { redis: toPart(redis) }),
    ...('ok' in browser && { browser: { ...toPart(browser), facts: { sandbox, network, browserVersion } } }),
    process: toPart({ ok: true, reason: null, uncaughtErrors: countUncaughtErrors() }),
  };
}

function toPart<T extends { ok: boolean; reason: string | null }>({ reason, ...part }: T, required = false) {
  return { required, ...part, ...(reason !== null && { reason }) };
}
