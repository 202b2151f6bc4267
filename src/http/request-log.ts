/** The line that each request leaves in the log. It holds no text that the client has sent. */
import type { RequestLevel, RequestLog, RequestSpan } from '#telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FieldNames } from './field-names.ts';
import { DISCONNECTED_STATUS, onResponseEnd } from './wire/disconnection.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if nothing is traced. The log of requests ends it. */
    span: RequestSpan | null;
    /** `streaming` until the end of a response that is sent in parts. */
    isLogged: boolean | 'streaming';
  }
}

/** Adds the hook that logs every response, and collects the names of fields from the routes added later. */
export function logRequests(app: FastifyInstance, log: RequestLog): void {
  const names = new FieldNames();
  app.decorate('fieldNames', names);
  app.decorateRequest('routePattern', undefined);
  app.decorateRequest('failure', null);
  app.decorateRequest('isLogged', false);
  app.addHook('onRoute', ({ schema }) => names.add(schema));
  // Before the response is sent, not after: a listener for its end costs more than the line.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (hasDisconnected(request, reply) && !reply.raw.headersSent) {
      reply.code(DISCONNECTED_STATUS);
      request.failure = null;
    }
    if (request.isLogged) return done();
    request.isLogged = isStream(payload) ? 'streaming' : true;
    const { statusCode: status } = reply;
    if (request.isLogged === true) logResponse(log, names, request, status, status === DISCONNECTED_STATUS);
    else
      onResponseEnd(reply.raw, (isDisconnected) => {
        // A response finishes and then closes.
        if (request.isLogged === 'streaming') logResponse(log, names, request, status, isDisconnected);
        request.isLogged = true;
      });
    done();
  });
}

/** Probes come every few seconds. Changes of what they report are logged by the parts. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

function hasDisconnected({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  // After a body that broke off, the socket is destroyed before the response.
  return reply.raw.destroyed || raw.socket.destroyed;
}

function isStream(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}

function logResponse(
  log: RequestLog,
  names: FieldNames,
  request: FastifyRequest,
  status: number,
  isDisconnected: boolean,
): void {
  const { failure, span } = request;
  const error = failure?.code;
  span?.end({ requestId: request.id, method: request.method, route: getRoute(request), status, error });
  const level = findLevel(status, error);
  if (!log.isEnabled(level)) return;
  const route = getRoute(request);
  log.write(PROBES.has(route) ? 'debug' : level, {
    requestId: request.id,
    method: request.method,
    route,
    status,
    ms: performance.now() - request.startedAtMs,
    keyId: request.caller?.keyId,
    error,
    param: names.find(failure?.param),
    isDisconnected: isDisconnected || undefined,
    err: level === 'info' ? undefined : (failure?.cause ?? failure ?? undefined),
  });
}

/** Returns the pattern of the route; `unknown` if no route takes the request. */
function getRoute(request: FastifyRequest): string {
  return request.routePattern ?? request.routeOptions.url ?? 'unknown';
}

/** A failure of the service is logged with its cause: `internal` as an error, all others as warnings. */
function findLevel(status: number, error: string | undefined): RequestLevel {
  if (error === 'internal') return 'error';
  return status >= 500 && error !== undefined ? 'warn' : 'info';
}
