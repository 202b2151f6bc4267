/** Connects the parts of the service to the HTTP server. */
import { fileURLToPath } from 'node:url';
import type { KeyAuthenticator } from '#accounts';
import type { AccessContext } from '#accounts/sign-in';
import { type Config, loadVersion } from '#config';
import type { CurrentLists, EmailCache } from '#email';
import { type ServerDeps, createServer } from '#http';
import type { RequestObserver, Tracing } from '#telemetry';
import type { MonthlyQuotas, ShareCapacities, Shares } from '#limits';
import { type Storage, loadOperatorSecret } from '#storage';
import type { UsageRecorder } from '#usage';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Drain } from './lifecycle.ts';
import { checkParts, createHealthReader } from './health.ts';
import type { Network } from './network.ts';
import type { SharedState } from './state.ts';
import type { Rendering } from './rendering.ts';
import { createOperations } from './operations.ts';

interface ServerOptions {
  config: Config;
  now: () => number;
  logger: FastifyBaseLogger;
  lists: CurrentLists;
  storage: Storage;
  shared: SharedState;
  keys: KeyAuthenticator;
  usage: UsageRecorder;
  quotas: MonthlyQuotas | null;
  access: AccessContext;
  network: Network;
  capacities: ShareCapacities;
  shares: Shares;
  rendering: Rendering;
  drain: Drain;
  tracing: Tracing;
  requestObserver: RequestObserver;
  emailCache: EmailCache;
}

/** Builds the server with its operations. It does not listen yet. */
export async function openServer(options: ServerOptions): Promise<FastifyInstance> {
  const { config, now, logger, lists, storage, shared, keys, usage } = options;
  const { network, shares, rendering, drain, tracing, emailCache, quotas } = options;
  return createServer({
    authenticate: keys.authenticate,
    findCaller: keys.findCaller,
    findAccountId: keys.findAccountId,
    keyWindows: shared.keyWindows,
    addressWindows: shared.addressWindows,
    quotas: quotas ?? undefined,
    unauthenticatedPerMinute: config.unauthenticatedPerMinute,
    now,
    ...createOperations({
      served: config.operations,
      shares,
      lookupMail: network.lookupMail,
      lookupTxt: network.lookupTxt,
      fetchPage: network.egress.fetchPage,
      pdf: rendering.pdf,
      renderPage: rendering.renderPage,
      lists: lists.lists,
      formatIdentity: network.egress.formatIdentity,
      cache: shared.metadataCache,
      emailCache,
      drainSignal: drain.signal,
      now,
    }),
    shares,
    recordUsage: recordWith(usage, quotas),
    readParts: () => checkParts(options),
    operatorSecret: await loadOperatorSecret(storage),
    isDraining: () => drain.isDraining,
    requestObserver: options.requestObserver,
    logger,
    tracing,
    version: loadVersion(),
    trustProxy: config.trustProxy,
    dashboardFolder: fileURLToPath(new URL('../../dashboard/dist', import.meta.url)),
    account: createAccountDeps(options),
  });
}

/** Returns the function that records a request, also for the quota of its account. */
function recordWith({ record }: UsageRecorder, quotas: MonthlyQuotas | null): UsageRecorder['record'] {
  if (quotas === null) return record;
  return (event) => {
    record(event);
    quotas.record(event);
  };
}

/** Returns what the endpoints of the dashboard use. */
function createAccountDeps(options: ServerOptions): NonNullable<ServerDeps['account']> {
  const { config, now, lists, storage, keys, access, capacities } = options;
  return {
    access,
    accounts: storage.accounts,
    keys: storage.keys,
    usage: storage.usage,
    lists,
    loadHealth: createHealthReader(options),
    plans: config.plans,
    capacities,
    issueTicket: keys.issueTicket,
    canSendMail: config.smtpUrl !== null,
    hasFrontDoor: config.frontDoor,
    publicUrl: config.publicUrl,
    now,
  };
}
