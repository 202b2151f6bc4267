/** The composition root: every part is built once, in the order of the arrows. Read it top to bottom. */
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { createKeyAuthenticator } from '#accounts';
import { createAccess, createMailSender, createSetupLink } from '#accounts/sign-in';
import type { Config } from '#config';
import { ApiError } from '#errors';
import { type Cidr, createLookupMail, openEgress, openResolver, parseCidr, systemServers } from '#egress';
import { loadDomainLists, openListRefresh } from '#email';
import { createConnectionEnder, createServer, MAX_PDF_BODY_BYTES, type PartState } from '#http';
import { createLogger } from '#log';
import { openMetadataCache } from '#metadata';
import { openPdfEngine, type PdfEngine } from '#pdf';
import { createMemoryWindowCounter } from '#ratelimit';
import { computeCapacities, createShares, withPlace } from '#shares';
import { openStorage, type Storage } from '#storage';
import { createUsageRecorder } from '#usage';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createOperations } from './operations.ts';
import { countUncaughtErrors } from './uncaught-errors.ts';

/** What tests replace: the clock and the log. */
export interface AppOverrides {
  now?: () => number;
  logger?: FastifyBaseLogger;
}

/** Where the service listens, and under which URL people reach it. */
export interface Listening extends AddressInfo {
  url: string;
}

/** What keeps the service from starting and its operator can mend, in one line. */
export class StartError extends Error {
  override name = 'StartError';
}

/** A service that is built and not listening yet. */
export interface App {
  server: FastifyInstance;
  logger: FastifyBaseLogger;
  storage: Storage;
  /** A one-time link's token that makes its first user an administrator; null where there is one. */
  createSetupLink(): Promise<string | null>;
  /** Binds HOST:PORT. */
  listen(): Promise<Listening>;
  /** Finishes what is in flight, closes every part in reverse order, leaves nothing behind. */
  close(): Promise<void>;
}

/** Requests that reach an open connection after the drain began are still answered for this long before the port closes. */
const LAME_DUCK_MS = 300;
/** A render that is still running this long after the drain began is given up, so that the process ends in time. */
const PDF_DRAIN_MS = 8000;
const DAY_MS = 86_400_000;
const META_CACHE_ENTRIES = 10_000;

export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const now = overrides.now ?? Date.now;
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const dataDir = resolve(config.dataDir);

  const storage = await openStorage({ dataDir, now }).catch((cause: Error) => {
    throw new StartError(
      `${cause.message.replace(/\.$/, '')}. Mend that, or set DATA_DIR to a folder that this user may write.`,
      { cause },
    );
  });
  const keys = createKeyAuthenticator({
    store: storage.keys,
    plans: config.plans,
    now,
    onUnknownPlan: (plan) =>
      logger.warn(
        { plan },
        'an account has a plan that PLANS does not name: it has the smallest limit and concurrency',
      ),
  });
  storage.onKeyChange(() => keys.forgetAll());

  const usage = createUsageRecorder({
    store: storage.usage,
    now,
    onError: (err) => logger.error({ err }, 'usage could not be written'),
  });
  const access = await createAccess({
    store: storage.access,
    accounts: storage.accounts,
    plans: config.plans,
    signups: config.signups,
    sendMail: createMailSender({ smtpUrl: config.smtpUrl, from: config.mailFrom, log: logger }),
    readOrigin: () => config.publicUrl ?? readUrl(server.server.address() as AddressInfo),
    now,
    onError: (err) => logger.error({ err }, 'an account could not be served'),
  });

  const resolver = openResolver({ servers: config.dnsServers ?? systemServers(), now });
  const egress = openEgress({
    resolver,
    policy: {
      allowCidrs: readBlocks(config.egressAllowCidrs),
      denyCidrs: readBlocks(config.egressDenyCidrs),
      ports: config.egressPorts,
      denyEndpoints: () => readEndpoints(server),
    },
    interfaces: {
      onError: (err) =>
        logger.error(
          { err },
          'the addresses of the network interfaces cannot be read: the last ones stay refused',
        ),
    },
    userAgent: config.egressUserAgent,
    connectionsPerHost: config.egressConnectionsPerHost,
    maxConnections: config.egressConnections,
    maxRenders: config.pdfSlots,
    now,
  });
  const lookupMail = createLookupMail({ resolver, isPublicAddress: egress.isPublicAddress });
  const lists = loadDomainLists();
  const listRefresh = config.disposableListUrl
    ? await openListRefresh({
        url: config.disposableListUrl,
        dataDir,
        fetchList: egress.fetchList,
        lists,
        now,
        log: (level, message, facts) => logger[level](facts, message),
        intervalMs: DAY_MS,
      })
    : null;
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

  const drain = { isOn: false, giveUp: new AbortController() };
  const server: FastifyInstance = await createServer({
    authenticate: keys.authenticate,
    keyWindows: createMemoryWindowCounter(),
    addressWindows: createMemoryWindowCounter(),
    unauthenticatedPerMinute: config.unauthenticatedPerMinute,
    now,
    ...createOperations({
      shares,
      lookupMail,
      lists,
      fetchPage: egress.fetchPage,
      cache,
      pdf,
      drainSignal: drain.giveUp.signal,
      now,
    }),
    shares,
    recordUsage: usage.record,
    readParts: async () => ({
      database: { required: true, ...(await readDatabaseState(storage)) },
      browser: { required: false, ...readBrowserState(pdf) },
      process: { required: false, ok: true, uncaughtErrors: countUncaughtErrors() },
    }),
    isDraining: () => drain.isOn,
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

  const endConnections = createConnectionEnder(server.server);

  async function listen(): Promise<Listening> {
    // For localhost Fastify would open a second server for ::1, without the rules and the drain of the first.
    const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
    await server.listen({ host, port: config.port });
    const address = server.server.address() as AddressInfo;
    const url = config.publicUrl ?? readUrl(address);
    logger.info(`listening on ${url}`);
    if (config.smtpUrl !== null && config.publicUrl === null)
      logger.warn(
        `SMTP_URL is set and PUBLIC_URL is not: the links in mails point to ${url}. Set PUBLIC_URL to the address that people use.`,
      );
    return { ...address, url };
  }

  async function close(): Promise<void> {
    drain.isOn = true;
    const giveUp = setTimeout(
      () =>
        drain.giveUp.abort(
          new ApiError('unavailable', 'The service is stopping: try again.', { retryAfterSeconds: 5 }),
        ),
      PDF_DRAIN_MS,
    );
    // Answers on open connections now close them; give their callers a moment to come and see, then stop accepting.
    if (server.server.listening) {
      await setTimeoutAsync(LAME_DUCK_MS);
      await endConnections();
    }
    await server.close();
    clearTimeout(giveUp);
    await pdf.close();
    await listRefresh?.close();
    egress.close();
    resolver.close();
    access.close();
    await usage.close();
    await storage.close();
  }

  return { server, logger, storage, createSetupLink: () => createSetupLink(access), listen, close };
}

function readBlocks(cidrs: readonly string[]): Cidr[] {
  return cidrs.map(parseCidr).filter((block) => block !== null);
}

/** The addresses that this process listens on, which no page and no document may be fetched from. */
function readEndpoints(server: FastifyInstance): { address: string; port: number }[] {
  return server
    .addresses()
    .filter((address) => typeof address === 'object')
    .map(({ address, port }) => ({ address, port }));
}

async function readDatabaseState(storage: Storage): Promise<PartState> {
  return (await storage.isHealthy()) ? { ok: true } : { ok: false, reason: 'the database does not answer' };
}

function readBrowserState(pdf: PdfEngine): PartState {
  const { ready, reason, ...rest } = pdf.status();
  return { ok: ready, ...(reason === undefined ? {} : { reason }), ...rest };
}

function readUrl({ address, port, family }: AddressInfo): string {
  const host =
    address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
