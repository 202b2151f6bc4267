/**
 * The HTTP server: Fastify with its limits, the hooks in their order, and the list of routes.
 * Order under /v1: key (401) → rate limit (429) → path (404) → method, media type (405, 415) → body size (413) → JSON → fields (400) → work.
 */
import { METHODS } from 'node:http';
import { randomBytes } from 'node:crypto';
import { ApiError } from '#errors';
import { startInTurn } from '#event-loop';
import type { Shares } from '#shares';
import type { UsageEvent } from '#usage';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { AccountDeps } from './account/account-deps.ts';
import { registerAccountRoutes } from './account/register-account-routes.ts';
import { findBodyFault, leaveBodiesUnread } from './wire/body.ts';
import { routeDashboard, sendNotFoundPage } from './dashboard.ts';
import { sendError } from './error-responses.ts';
import {
  type AdmitDeps,
  countRefusal,
  createAdmission,
  setUncountedLimit,
  takeUnits,
} from './v1/admit-request.ts';
import { ParseQueue } from './wire/json/parse-queue.ts';
import { createJsonReader, type ReadJson } from './wire/json/read-json.ts';
import { answerExpectations } from './wire/expect-continue.ts';
import { answerBrokenRequest, findMessageFault } from './wire/malformed-requests.ts';
import { registerOpenApi, routeOpenApi } from './openapi.ts';
import { type GeneratePdf, routeGeneratePdf } from './v1/generate-pdf.ts';
import { type GetMetadata, routeGetMetadata } from './v1/get-metadata.ts';
import { type HealthDeps, routeHealth } from './health.ts';
import { routeValidateEmail, type ValidateEmail } from './v1/validate-email.ts';
import { routeValidateEmailBatch, type ValidateEmails } from './v1/validate-email-batch.ts';

export interface ServerDeps extends AdmitDeps, HealthDeps {
  validateEmail: ValidateEmail;
  validateEmails: ValidateEmails;
  getMetadata: GetMetadata;
  generatePdf: GeneratePdf;
  /** Called for every answered request that carried a good key. */
  recordUsage: (event: UsageEvent) => void;
  shares: Shares;
  logger: FastifyBaseLogger;
  trustProxy: false | string[];
  /** The dashboard's endpoints and the folder of its files; left out, there are none. */
  account?: Omit<AccountDeps, 'keyWindows'>;
  dashboardFolder?: string;
  /** True while the process drains: answers then close their connection. */
  isDraining: () => boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What is wrong with the message as such; told with 400 whoever sent it. */
    messageFault: ApiError | null;
    /** Whether usage was told of it. */
    isRecorded: boolean;
  }
}

const SECOND = 1000;
const MAX_HEAD_BYTES = 16 * 1024;
const underV1 = /^(?:[A-Za-z]+:\/\/[^/?#]*)?\/v1(?:[/?#]|$)/;

/** Builds the server; nothing listens yet. */
export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    // Fastify's own logging costs listeners on every answer, also where it logs nothing: what is to be told, deps.logger is told.
    logger: false,
    genReqId: createRequestIds(),
    requestIdHeader: false,
    trustProxy: deps.trustProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 120 * SECOND,
    keepAliveTimeout: 72 * SECOND,
    bodyLimit: 1024 * 1024,
    rewriteUrl: (request) => readRoutePath(request.url ?? '/'),
    // A part of a path may be as long as a head: the router's own refusal of a longer one has no error body.
    routerOptions: { querystringParser: () => ({}), maxParamLength: MAX_HEAD_BYTES },
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: 8 * SECOND,
      connectionsCheckingInterval: SECOND,
      // Node’s own refusal has no body: findMessageFault tells it.
      requireHostHeader: false,
      // Most requests have no body: they need no stream that ends.
      optimizeEmptyRequests: true,
    },
    clientErrorHandler: answerBrokenRequest,
  });
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method);
  answerExpectations(app.server);
  app.decorateRequest('caller', null);
  app.decorateRequest('isCounted', true);
  app.decorateRequest('isRecorded', false);
  app.decorateRequest('messageFault', null);
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('operation', undefined);
  // Hooks on every request's way call back instead of answering promises: each promise costs half a microsecond.
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedAtMs = performance.now();
    startInTurn(done, identifyClient(request));
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (deps.isDraining()) reply.header('connection', 'close');
    const fault = findMessageFault(request.raw);
    if (fault === null) return done();
    // Under /v1 the refusal has its rate-limit headers: it waits for the door.
    request.messageFault = fault;
    done(underV1.test(request.url) ? undefined : fault);
  });
  app.setErrorHandler((error, request, reply) => sendError(deps.logger, request, reply, error));
  app.setNotFoundHandler(async (request, reply) => {
    const { dashboardFolder: folder } = deps;
    const page = folder === undefined ? null : await sendNotFoundPage(request, reply, { folder });
    return page ?? sendError(deps.logger, request, reply, new ApiError('not_found'));
  });
  leaveBodiesUnread(app);
  await registerOpenApi(app);
  routeHealth(app, deps);
  const bodies = new ParseQueue();
  app.addHook('onClose', () => bodies.close());
  const readJson = createJsonReader(bodies);
  await app.register(async (scope) => registerV1(scope, deps, readJson), { prefix: '/v1' });
  routeOpenApi(app);
  if (deps.account) await registerAccountRoutes(app, { ...deps.account, keyWindows: deps.keyWindows });
  if (deps.dashboardFolder) await routeDashboard(app, { folder: deps.dashboardFolder });
  return app;
}

/** Which client a request comes from, as far as that is known before its key is looked up. */
function identifyClient({ headers, raw }: FastifyRequest): string {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : (raw.socket.remoteAddress ?? '');
}

/** Ids that no other request has, of this process or another: its own random part and a count. A UUID each would cost four times as much. */
function createRequestIds(): () => string {
  const prefix = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${prefix}-${(count++).toString(36).padStart(6, '0')}`;
}

function registerV1(scope: FastifyInstance, deps: ServerDeps, readJson: ReadJson): void {
  const admit = createAdmission(deps);
  const methodsByPath = new Map<string, string[]>();
  scope.addHook('onRoute', ({ url, method }) => {
    methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), ...[method].flat()]);
  });
  const isDebugging = deps.logger.level === 'debug' || deps.logger.level === 'trace';
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    let admission: void | Promise<void>;
    try {
      admission = admit(request, reply);
    } catch (error) {
      return done(refuse(request, reply, error as Error));
    }
    if (admission === undefined) return done(findFault(request, reply));
    const goOn = (): void => done(findFault(request, reply));
    const end = (error: Error): void => done(refuse(request, reply, error));
    admission.then(goOn, end);
  });
  function refuse(request: FastifyRequest, reply: FastifyReply, error: Error): Error {
    setUncountedLimit(deps, request, reply);
    return request.messageFault ?? error;
  }
  /** What is wrong with a request whose caller may call. */
  function findFault(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    if (request.messageFault) return request.messageFault;
    if (request.is404) return refusePathOrMethod(request.url, methodsByPath, reply);
    return request.method === 'POST' ? (findBodyFault(request) ?? undefined) : undefined;
  }
  scope.addHook('onError', (request, reply) => countRefusal(deps, request, reply));
  // When the answer goes out, not when it has gone: a listener for that costs more than the count.
  scope.addHook('onSend', (request, reply, _payload, done) => {
    const { caller, id: requestId } = request;
    const operation = request.operation ?? 'none';
    const { statusCode: status } = reply;
    const ms = performance.now() - request.startedAtMs;
    if (isDebugging)
      deps.logger.debug({ requestId, operation, status, ms, keyId: caller?.keyId }, 'answered');
    // The failure of a stream that had begun comes here once more.
    if (caller && !request.isRecorded)
      deps.recordUsage({
        keyId: caller.keyId,
        accountId: caller.accountId,
        operation,
        status,
        ms,
        requestId,
        atMs: deps.now(),
      });
    request.isRecorded = true;
    done();
  });
  scope.setNotFoundHandler((request, reply) =>
    sendError(deps.logger, request, reply, new ApiError('not_found')),
  );
  // The routes read and check their own input, in the contract's order; their schemas serialise answers and make the OpenAPI document.
  scope.setValidatorCompiler(() => () => true);
  leaveBodiesUnread(scope);
  routeValidateEmail(scope, deps.validateEmail);
  routeValidateEmailBatch(
    scope,
    deps.validateEmails,
    (request, reply, cost) => takeUnits(deps, request, reply, cost),
    deps.shares,
    readJson,
  );
  routeGetMetadata(scope, deps.getMetadata, deps.shares);
  routeGeneratePdf(scope, deps.generatePdf, deps.shares, readJson);
}

/** The refusal of a request that met no route: 405 where the path has other methods, else 404. */
function refusePathOrMethod(
  url: string,
  methodsByPath: Map<string, string[]>,
  reply: { header: (name: string, value: string) => unknown },
): ApiError {
  const methods = methodsByPath.get(url.split('?', 1)[0] ?? '');
  if (!methods) return new ApiError('not_found');
  const allow = [...new Set(methods)].join(', ');
  reply.header('allow', allow);
  return new ApiError('method_not_allowed', `This path does not support this method: use ${allow}.`);
}

/** A path without % and without a slash at its end, whatever follows it. */
const plainTarget = /^(?:\/|[^?#%]*[^/?#%])(?:[?#]|$)/;

/** The request target as the router sees it: no trailing slash, and no percent-encoding that could not be decoded. */
export function readRoutePath(target: string): string {
  if (plainTarget.test(target)) return target;
  const end = target.search(/[?#]/);
  let path = end < 0 ? target : target.slice(0, end);
  if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  if (path.includes('%')) path = path.replaceAll('%', '%25');
  return end < 0 ? path : path + target.slice(end);
}
