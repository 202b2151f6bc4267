/** The composition root: builds every part once, in the order of the arrows. Read it top to bottom. */
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKeyAuthenticator } from '#accounts';
import { createAccess, createMailSender, createSetupLink } from '#accounts/sign-in';
import type { Config } from '#config';
import { createServer, MAX_PDF_BODY_BYTES, type PartState } from '#http';
import { createLogger } from '#log';
import { openMetadataCache } from '#metadata';
import { openPdfEngine, type PdfEngine } from '#pdf';
import { createMemoryWindowCounter } from '#ratelimit';
import { computeCapacities, createShares, withPlace } from '#shares';
import { openStorage, type Storage } from '#storage';
import { createUsageRecorder } from '#usage';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { openNetwork } from './app-network.ts';
import { Drain, formatUrl, listen, type Listening } from './app-server.ts';
import { createOperations } from './operations.ts';
import { countUncaughtErrors } from './uncaught-errors.ts';

export type { Listening };

/** Parts that tests replace: the clock and the log. */
export interface AppOverrides {
  now?: () => number;
  logger?: FastifyBaseLogger;
}

/** A reason why the service cannot start that its operator can fix, in one line. */
export class StartError extends Error {
  override name = 'StartError';
}

/** A service that is built and does not listen yet. */
export interface App {
  server: FastifyInstance;
  logger: FastifyBaseLogger;
  storage: Storage;
  /** Returns the token of a one-time link that creates the first administrator; null if there is one. */
  createSetupLink(): Promise<string | null>;
  /** Binds HOST:PORT. */
  listen(): Promise<Listening>;
  /** Finishes the work in flight and closes every part in reverse order. Nothing is left running. */
  close(): Promise<void>;
}

const META_CACHE_ENTRIES = 10_000;

export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const now = overrides.now ?? Date.now;
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const dataDir = resolve(config.dataDir);

  const storage = await openStorageOrFail(dataDir, now);
  const keys = createKeyAuthenticator({
    store: storage.keys,
    plans: config.plans,
    now,
    onUnknownPlan: (plan) =>
      logger.warn({ plan }, 'an account has a plan that PLANS does not name: it gets the smallest limits'),
  });
  storage.onKeyChange(() => keys.forgetAll());

  const usage = createUsageRecorder({
    store: storage.usage,
    now,
    onError: (err) => logger.error({ err }, 'cannot write usage'),
  });
  const access = await createAccess({
    store: storage.access,
    accounts: storage.accounts,
    plans: config.plans,
    signups: config.signups,
    sendMail: createMailSender({ smtpUrl: config.smtpUrl, from: config.mailFrom, log: logger }),
    getOrigin: () => config.publicUrl ?? formatUrl(server.server.address() as AddressInfo),
    now,
    onError: (err) => logger.error({ err }, 'background work for an account failed'),
  });

  const network = await openNetwork({ config, dataDir, logger, now, getServer: () => server });
  const { egress } = network;
  const cache =
    config.metaCacheTtlSeconds > 0
      ? openMetadataCache({ maxEntries: META_CACHE_ENTRIES, ttlSeconds: config.metaCacheTtlSeconds, now })
      : undefined;
  const capacities = computeCapacities(config);
  const shares = createShares({
    capacities,
    maxBodyBytes: MAX_PDF_BODY_BYTES,
    now: () => performance.now(),
  });
  const pdf = await openPdfEngine({
    withSlot: (caller, signal, work) =>
      withPlace(shares, { kind: 'browserPages', holder: caller, signal }, work),
    chromiumPath: config.chromiumPath,
    chromiumCacheDir: config.chromiumCacheDir,
    openResourceFetcher: egress.openResourceFetcher,
    slots: config.pdfSlots,
    timeoutMs: config.pdfTimeoutMs,
    rendererMemoryMb: config.pdfRendererMemoryMb,
    requireSandbox: config.pdfRequireSandbox,
    log: logger,
    now,
  });

  const drain = new Drain();
  const server: FastifyInstance = await createServer({
    authenticate: keys.authenticate,
    findAccountId: keys.findAccountId,
    keyWindows: createMemoryWindowCounter(),
    addressWindows: createMemoryWindowCounter(),
    unauthenticatedPerMinute: config.unauthenticatedPerMinute,
    now,
    ...createOperations({
      shares,
      lookupMail: network.lookupMail,
      lists: network.lists,
      fetchPage: egress.fetchPage,
      cache,
      pdf,
      drainSignal: drain.signal,
      now,
    }),
    shares,
    recordUsage: usage.record,
    readParts: () => checkParts(storage, pdf),
    isDraining: () => drain.isDraining,
    logger,
    trustProxy: config.trustProxy,
    dashboardFolder: fileURLToPath(new URL('../dashboard/dist', import.meta.url)),
    account: {
      access,
      accounts: storage.accounts,
      keys: storage.keys,
      usage: storage.usage,
      plans: config.plans,
      capacities,
      issueTicket: keys.issueTicket,
      canSendMail: config.smtpUrl !== null,
      publicUrl: config.publicUrl,
      now,
    },
  });
  const drainServer = drain.prepare(server);

  return {
    server,
    logger,
    storage,
    createSetupLink: () => createSetupLink(access),
    listen: () => listen(server, config, logger),
    async close() {
      await drainServer();
      await pdf.close();
      await network.close();
      access.close();
      await usage.close();
      await storage.close();
    },
  };
}

async function openStorageOrFail(dataDir: string, now: () => number): Promise<Storage> {
  return openStorage({ dataDir, now }).catch((cause: Error) => {
    throw new StartError(
      `${cause.message.replace(/\.$/, '')}. Correct that, or set DATA_DIR to a folder that this user may write.`,
      { cause },
    );
  });
}

/** Returns the state of the parts that /readyz reports. */
async function checkParts(
  storage: Storage,
  pdf: PdfEngine,
): Promise<Record<string, PartState & { required: boolean }>> {
  const isHealthy = await storage.isHealthy();
  const { ready, reason, ...rest } = pdf.status();
  return {
    database: {
      required: true,
      ok: isHealthy,
      ...(!isHealthy && { reason: 'the database does not respond' }),
    },
    browser: { required: false, ok: ready, ...(reason !== undefined && { reason }), ...rest },
    process: { required: false, ok: true, uncaughtErrors: countUncaughtErrors() },
  };
}
