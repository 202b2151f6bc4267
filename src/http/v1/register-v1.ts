/**
 * The routes under /v1, and what every request passes before its route, in this order: key (401), rate limit
 * (429), path (404), method (405), media type (415), body size (413). Then its route: JSON, fields (400),
 * work.
 */
import { ApiError } from '#errors';
import type { Tracing } from '#telemetry';
import type { UsageEvent } from '#usage';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from '../error-responses.ts';
import { findBodyFault, leaveBodiesUnread } from '../wire/body.ts';
import type { ReadJson } from '../wire/json/read-body.ts';
import { describeRequest } from './describe-request.ts';
import {
  type AdmitDeps,
  type UnitWording,
  consumeUnits,
  countRefusal,
  createAdmission,
  setDefaultLimitHeaders,
} from './admit-request.ts';
import { type GeneratePdf, routeGeneratePdf } from './generate-pdf.ts';
import { type GetMetadata, routeGetMetadata } from './get-metadata.ts';
import { routeMetadataBatch } from './metadata-batch.ts';
import { routeValidateEmail, type ValidateEmail } from './validate-email.ts';
import { routeValidateEmailBatch, type ValidateEmails } from './validate-email-batch.ts';

export interface V1Deps extends AdmitDeps, Partial<ServedOperations> {
  /** False if the operator has turned the rendering of pages off. */
  canRender: boolean;
  /** Called once for every request with a valid key, when its response is sent. */
  recordUsage: (event: UsageEvent) => void;
  logger: FastifyBaseLogger;
  tracing: Pick<Tracing, 'startRequest' | 'trace'>;
}

/** The operations. One that is absent is not served: its routes do not exist. */
export interface ServedOperations {
  validateEmail: ValidateEmail;
  validateEmails: ValidateEmails;
  getMetadata: GetMetadata;
  generatePdf: GeneratePdf;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The fault of the HTTP message itself; answered with 400 whether or not the key is valid. */
    messageFault: ApiError | null;
    /** True if `recordUsage` was called for the request. */
    isRecorded: boolean;
  }
}

/** Registers the routes of the operations in `scope`, whose prefix is /v1. */
export function registerV1(scope: FastifyInstance, deps: V1Deps, readJson: ReadJson): void {
  const methodsByPath = new Map<string, string[]>();
  scope.addHook('onRoute', ({ url, method }) => {
    methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), ...[method].flat()]);
  });
  admitRequests(scope, deps, methodsByPath);
  scope.addHook('onError', (request, reply) => countRefusal(deps, request, reply));
  recordResponses(scope, deps);
  scope.setNotFoundHandler((request, reply) => sendError(request, reply, new ApiError('not_found')));
  // Routes parse and check their own input, in the order of the contract. Their schemas serialize responses
  // and describe them in the OpenAPI document.
  scope.setValidatorCompiler(() => () => true);
  leaveBodiesUnread(scope);
  routeOperations(scope, deps, readJson);
}

/** Adds the routes of the operations that are served. */
function routeOperations(scope: FastifyInstance, deps: V1Deps, readJson: ReadJson): void {
  const { validateEmail, validateEmails, getMetadata, canRender, generatePdf, logger, now } = deps;
  const shared = {
    consumeUnits: (request: FastifyRequest, reply: FastifyReply, cost: number, wording?: UnitWording) =>
      consumeUnits(deps, request, reply, cost, wording),
    readJson,
  };
  if (validateEmail) routeValidateEmail(scope, validateEmail);
  if (validateEmails) routeValidateEmailBatch(scope, { ...shared, validateEmails });
  if (getMetadata) {
    routeGetMetadata(scope, getMetadata);
    routeMetadataBatch(scope, { ...shared, getMetadata, canRender, logger, now });
  }
  if (generatePdf) routeGeneratePdf(scope, { ...shared, generatePdf });
}

/** Refuses requests that may not call, or that no route takes, before anything else of them is looked at. */
function admitRequests(
  scope: FastifyInstance,
  deps: V1Deps,
  methodsByPath: ReadonlyMap<string, string[]>,
): void {
  const { admit, tryAdmit } = createAdmission(deps);
  const isTraced = deps.tracing.startRequest !== null;
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    const proceed = (): void => done(findFault(request, reply));
    const fail = (error: Error): void => done(refuse(request, reply, error));
    if (!isTraced) {
      let isAdmitted: boolean;
      try {
        isAdmitted = tryAdmit(request, reply);
      } catch (error) {
        return fail(error as Error);
      }
      if (isAdmitted) return proceed();
    }
    deps.tracing.trace('admission', () => admit(request, reply)).then(proceed, fail);
  });

  function refuse(request: FastifyRequest, reply: FastifyReply, error: Error): Error {
    setDefaultLimitHeaders(deps, request, reply);
    return request.messageFault ?? error;
  }

  /** Returns what is wrong with an admitted request, as far as its head shows. */
  function findFault(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    if (request.messageFault) return request.messageFault;
    if (request.is404) return refusePathOrMethod(request, methodsByPath, reply);
    return request.method === 'POST' ? (findBodyFault(request) ?? undefined) : undefined;
  }
}

/** Records usage, for every response. */
function recordResponses(scope: FastifyInstance, deps: V1Deps): void {
  // Before the response is sent, not after: a listener for its end costs more than the count.
  scope.addHook('onSend', (request, reply, _payload, done) => {
    const { caller } = request;
    // A stream that fails after it began calls this hook a second time.
    if (caller && !request.isRecorded) deps.recordUsage(describeRequest(request, reply, caller, deps.now()));
    request.isRecorded = true;
    done();
  });
}

/** Returns the error of a request that no route takes: 405 if its path has other methods, else 404. */
function refusePathOrMethod(
  request: FastifyRequest,
  methodsByPath: ReadonlyMap<string, string[]>,
  reply: FastifyReply,
): ApiError {
  const path = request.url.split('?', 1)[0] ?? '';
  const methods = methodsByPath.get(path);
  if (!methods) return new ApiError('not_found');
  request.routePattern = path;
  const allow = [...new Set(methods)].join(', ');
  reply.header('allow', allow);
  return new ApiError('method_not_allowed', `This path does not support this method: use ${allow}.`);
}
