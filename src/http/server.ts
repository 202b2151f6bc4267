/**
 * The HTTP server: Fastify with its limits, the hooks that every request passes, and the groups of routes.
 */
import { METHODS } from 'node:http';
import { randomBytes } from 'node:crypto';
import { OPERATIONS } from '#accounts';
import { ApiError } from '#errors';
import type { RequestObserver, Tracing } from '#telemetry';
import { startInTurn } from '#concurrency';
import type { Shares } from '#limits';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AccountDeps } from './dashboard-api/account-deps.ts';
import { registerAccountRoutes } from './dashboard-api/register-account-routes.ts';
import { routeDashboard, sendNotFoundPage } from './dashboard.ts';
import { sendError } from './error-responses.ts';
import { type HealthDeps, routeHealth } from './health.ts';
import { routeMcp } from './mcp/route-mcp.ts';
import { meterRequest, reportResponses, runInSpan } from './observe-requests.ts';
import { registerOpenApi, routeOpenApi } from './openapi.ts';
import { registerV1, type V1Deps } from './v1/register-v1.ts';
import { RequestHolds } from './v1/request-holds.ts';
import { leaveBodiesUnread } from './wire/body.ts';
import { closeStalledReaders } from './wire/end-connections.ts';
import { answerExpectations, findMessageFault, normalizeRoutePath } from './wire/request-head.ts';
import { ParseQueue } from './wire/json/parse-queue.ts';
import { createJsonReader } from './wire/json/read-body.ts';
import { LingeringSockets } from './wire/linger.ts';
import { MalformedRequests } from './wire/malformed-requests.ts';

export interface ServerDeps extends V1Deps, HealthDeps {
  shares: Shares;
  requestObserver: RequestObserver;
  tracing: Pick<Tracing, 'startRequest' | 'trace'>;
  /** Returns the account of a key that was used recently, at no cost; else null. */
  findAccountId: (secret: string) => string | null;
  /** The version of the service, as the OpenAPI document names it. */
  version: string;
  /** Addresses of proxies whose X-Forwarded-For is used; false for none. */
  trustProxy: false | string[];
  /** Dependencies of the dashboard's endpoints. Without them, these endpoints do not exist. */
  account?: Omit<AccountDeps, 'keyWindows' | 'operations'>;
  /** The folder of the dashboard's files. Without it, they are not served. */
  dashboardFolder?: string;
  /** Returns true while the process drains: every response then closes its connection. */
  isDraining: () => boolean;
}

const SECOND_MS = 1000;
const MAX_HEAD_BYTES = 16 * 1024;
const UNDER_V1 = /^(?:[A-Za-z]+:\/\/[^/?#]*)?\/v1(?:[/?#]|$)/;

/** Builds the server. It does not listen yet. */
export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const lingering = new LingeringSockets();
  const malformedRequests = new MalformedRequests(lingering, deps.requestObserver.onMalformed);
  const app = createFastify(deps, malformedRequests);
  answerExpectations(app.server);
  closeStalledReaders(app.server);
  decorate(app, deps);
  app.decorate('lingering', lingering);
  app.decorate('malformedRequests', malformedRequests);
  receiveRequests(app, deps);
  reportResponses(app, deps.requestObserver);
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  app.setNotFoundHandler(async (request, reply) => {
    const { dashboardFolder: folder } = deps;
    const page = folder === undefined ? null : await sendNotFoundPage(request, reply, { folder });
    return page ?? sendError(request, reply, new ApiError('not_found'));
  });
  leaveBodiesUnread(app);
  await registerOpenApi(app, deps);
  routeHealth(app, deps);
  const bodies = new ParseQueue(deps.shares);
  app.addHook('onClose', () => bodies.close());
  const readJson = createJsonReader(bodies);
  await app.register(async (scope) => registerV1(scope, deps, readJson), { prefix: '/v1' });
  routeOpenApi(app);
  await routeMcp(app, { ...deps, publicUrl: deps.account?.publicUrl ?? null }, readJson);
  if (deps.account) {
    const operations = OPERATIONS.filter((operation) => deps[operation] !== undefined);
    await registerAccountRoutes(app, { ...deps.account, keyWindows: deps.keyWindows, operations });
  }
  if (deps.dashboardFolder) await routeDashboard(app, { folder: deps.dashboardFolder });
  return app;
}

function createFastify({ trustProxy }: ServerDeps, malformedRequests: MalformedRequests): FastifyInstance {
  const app: FastifyInstance = Fastify({
    // Fastify's own logging adds listeners to every response even if nothing is logged; reportResponses is
    // used instead.
    logger: false,
    genReqId: createRequestIds(),
    requestIdHeader: false,
    trustProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 120 * SECOND_MS,
    keepAliveTimeout: 72 * SECOND_MS,
    bodyLimit: 1024 * 1024,
    rewriteUrl: (request) => normalizeRoutePath(request.url ?? '/'),
    // One path segment may be as long as the whole head: the router's refusal of a longer one has no error
    // body.
    routerOptions: { querystringParser: () => ({}), maxParamLength: MAX_HEAD_BYTES },
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: 8 * SECOND_MS,
      connectionsCheckingInterval: SECOND_MS,
      // Node's refusal of a missing Host has no body; findMessageFault refuses it with one.
      requireHostHeader: false,
      // Most requests have no body and need no stream for it.
      optimizeEmptyRequests: true,
    },
    clientErrorHandler: (error, socket) => malformedRequests.answer(error, socket),
  });
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method);
  return app;
}

function decorate(app: FastifyInstance, { shares }: ServerDeps): void {
  app.decorate('holds', new RequestHolds(shares));
  app.decorateRequest('caller', null);
  app.decorateRequest('isCounted', true);
  app.decorateRequest('isRecorded', false);
  app.decorateRequest('messageFault', null);
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('operation', undefined);
  app.decorateRequest('isBatch', false);
  app.decorateRequest('units', 0);
  app.decorateRequest('work', null);
  app.decorateRequest('outerResponse', undefined);
}

/** Adds the first hook. It takes a callback instead of returning a promise, which costs 0.5 µs. */
function receiveRequests(
  app: FastifyInstance,
  { isDraining, findAccountId, requestObserver }: ServerDeps,
): void {
  const { meter } = requestObserver;
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now();
    app.holds.receive(request);
    if (meter !== null) meterRequest(meter, request, reply);
    const begin = (): void => runInSpan(requestObserver, request, () => done(checkMessage(request, reply)));
    startInTurn(begin, () => identifyClient(request, findAccountId));
  });

  function checkMessage(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    reply.header('x-request-id', request.id);
    if (isDraining()) reply.header('connection', 'close');
    const fault = findMessageFault(request.raw);
    if (fault === null) return undefined;
    // Under /v1 the response has rate-limit headers: admission refuses the request.
    request.messageFault = fault;
    return UNDER_V1.test(request.url) ? undefined : fault;
  }
}

/**
 * Returns what identifies the client before its key is checked: the account of a key that is known, else the
 * address. Keys that are made up do not make many clients of one.
 */
function identifyClient({ headers, ip }: FastifyRequest, findAccountId: ServerDeps['findAccountId']): string {
  const key = headers['x-api-key'];
  return (typeof key === 'string' ? findAccountId(key) : null) ?? ip;
}

/**
 * Returns a generator of ids that are unique over all processes: a random prefix per process and a counter.
 * A UUID per request would cost four times as much.
 */
function createRequestIds(): () => string {
  const prefix = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${prefix}-${(count++).toString(36).padStart(6, '0')}`;
}
