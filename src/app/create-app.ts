/** The composition root: createApp opens every part once, each from the parts before it. */
import { resolve } from 'node:path';
import { createKeyAuthenticator, type KeyAuthenticator } from '#accounts';
import { createSetupLink } from '#accounts/sign-in';
import type { Config } from '#config';
import { type CurrentLists, EmailCache, openCurrentLists, OperatorListError } from '#email';
import { MAX_PDF_BODY_BYTES } from '#http';
import { createLogger } from '#telemetry';
import { type MonthlyQuotas, computeCapacities, createShares } from '#limits';
import type { Storage } from '#storage';
import { createUsageRecorder, type UsageRecorder } from '#usage';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Drain, type Listening, StartError, listen } from './lifecycle.ts';
import { openNetwork } from './network.ts';
import { OwnAddress } from './own-address.ts';
import { openQuotas, openSharedState, openStorageOrFail } from './state.ts';
import { openRendering } from './rendering.ts';
import { openServer } from './server.ts';
import { openAccess, openMail } from './access.ts';
import { openTelemetry } from './telemetry.ts';

export type { Listening };
export { StartError };

/** Parts that tests replace, and the end of a start. */
export interface AppOverrides {
  now?: () => number;
  logger?: FastifyBaseLogger;
  /** Ends the wait for a database that cannot be reached: the promise then rejects. */
  signal?: AbortSignal;
}

/** A service that is built and does not listen yet. */
export interface App {
  server: FastifyInstance;
  logger: FastifyBaseLogger;
  storage: Storage;
  /** Returns the token of a one-time link that creates the first administrator; null if there is one. */
  createSetupLink(): Promise<string | null>;
  /** Returns the port of /metrics; null if it is not served. */
  getMetricsPort(): number | null;
  /** Binds HOST:PORT, and before that METRICS_HOST:METRICS_PORT. */
  listen(): Promise<Listening>;
  /**
   * Finishes the work in flight and closes every part in reverse order. Nothing is left running. With
   * `isAtOnce`, SHUTDOWN_DELAY_MS is skipped.
   */
  close(isAtOnce?: boolean): Promise<void>;
}

/** Builds the service. Rejects with StartError if its operator has to correct something. */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const base: Base = {
    config,
    dataDir: resolve(config.dataDir),
    now: overrides.now ?? Date.now,
    logger: overrides.logger ?? createLogger(config.logLevel),
  };
  const telemetry = await openTelemetry(base);
  const { parts: observer, tracing } = telemetry;
  const { sinks } = observer;
  const ownAddress = new OwnAddress(config.publicUrl);
  const mail = { sendMail: await openMail(base), getOrigin: ownAddress.getOrigin };
  const lists = await openListsOrFail(base);
  const { signal } = overrides;
  const storage = observer.observeStorage(
    await openStorageOrFail({ ...base, signal, onQuery: sinks?.onQuery }),
  );
  const keys = createKeys(base, storage, sinks?.onKeyRead);
  const quotas = observer.observeQuotas(openQuotas({ ...base, ...mail, storage }));
  const usage = createUsage(base, storage, { quotas, onFailedWrite: sinks?.onFlushError });
  const shared = observer.observeSharedState(await openSharedState({ ...base, storage, ...sinks?.redis }));
  const access = await openAccess({ ...base, ...mail, storage, failureCounts: shared.failureCounts });
  const network = observer.observeNetwork(openNetwork({ ...base, ownAddress, dnsObserver: sinks?.dns }));
  const capacities = computeCapacities(config);
  const shares = observer.observeShares(
    createShares({
      capacities,
      maxBodyBytes: MAX_PDF_BODY_BYTES,
      now: () => performance.now(),
      onRefusal: sinks?.onShareRefusal,
    }),
  );
  const { openResourceFetcher } = network.egress;
  const rendering = observer.observeRendering(
    await openRendering({ ...base, shares, openResourceFetcher, tracing, observer: sinks?.rendering }),
  );
  const drain = new Drain({ delayMs: config.shutdownDelayMs });
  const emailCache = new EmailCache();
  const parts = { ...base, emailCache, storage, shared, usage, shares, rendering, drain };
  telemetry.watch(parts);
  const server = await openServer({
    ...base,
    requestObserver: telemetry.requests,
    tracing,
    lists,
    storage,
    keys,
    quotas,
    usage,
    shared,
    access,
    network,
    capacities,
    shares,
    rendering,
    drain,
    emailCache,
  });
  ownAddress.add(server);
  ownAddress.add({ addresses: telemetry.getEndpoints });
  const drainServer = drain.prepare(server);
  return {
    server,
    logger: base.logger,
    storage,
    createSetupLink: () => createSetupLink(access),
    getMetricsPort: () => telemetry.getEndpoints()[0]?.port ?? null,
    async listen() {
      await telemetry.listen(parts);
      const listening = await listen(server, config, base.logger);
      ownAddress.keep();
      // Not before: the guard asks for the addresses of the server.
      lists.start(network.egress.fetchList);
      return listening;
    },
    async close(isAtOnce) {
      await drainServer(isAtOnce);
      await rendering.close();
      await lists.close();
      network.close();
      access.close();
      await shared.close();
      await usage.close();
      await storage.close();
      await telemetry.close();
      // Last: a scrape during the drain succeeds.
      await telemetry.closeMetrics();
    },
  };
}

/** The arguments that most parts share. */
interface Base {
  config: Config;
  dataDir: string;
  now: () => number;
  logger: FastifyBaseLogger;
}

async function openListsOrFail({ config, dataDir, now, logger }: Base): Promise<CurrentLists> {
  return openCurrentLists({
    dataDir,
    urls: config.disposableListUrls,
    allowedFile: config.emailAllowDomainsFile,
    blockedFile: config.emailBlockDomainsFile,
    now,
    log: (level, message, facts) => logger[level](facts, message),
  }).catch((error: unknown) => {
    if (!(error instanceof OperatorListError)) throw error;
    throw new StartError(
      `${error.message}. Correct the file that EMAIL_ALLOW_DOMAINS or EMAIL_BLOCK_DOMAINS names.`,
      { cause: error },
    );
  });
}

function createKeys(
  { config, now, logger }: Base,
  storage: Storage,
  onCacheRead: ((result: 'hit' | 'miss') => void) | undefined,
): KeyAuthenticator {
  const keys = createKeyAuthenticator({
    onCacheRead,
    store: storage.keys,
    plans: config.plans,
    now,
    getWatch: storage.getKeyWatch,
    onUnknownPlan: (plan) =>
      logger.warn({ plan }, 'an account has a plan that PLANS does not name: it gets the smallest limits'),
  });
  storage.onKeyChange((accountId) => keys.forget(accountId));
  return keys;
}

function createUsage(
  { now, logger }: Base,
  storage: Storage,
  { quotas, onFailedWrite }: { quotas: MonthlyQuotas | null; onFailedWrite: (() => void) | undefined },
): UsageRecorder {
  return createUsageRecorder({
    store: storage.usage,
    now,
    onError: (err) => logger.error({ err }, 'cannot write usage: it is kept in memory meanwhile'),
    onFailedWrite,
    onWriteStart: quotas?.beginWrite,
    onWritten: quotas?.endWrite,
    onRecover: (outage) => logger.info(outage, 'usage is written again'),
  });
}
